package import BatonCore

/// Decides which things a search shows, by the settings of this device and the limits of the search.
package struct SearchScope: Sendable {
    /// The ended activities that this device keeps for itself.
    package var kept: KeptActivities
    /// The current activities of this device that are eligible for search.
    ///
    /// Each has the name under which it will be kept when it ends.
    package var current: KeptActivities
    /// The activities that the person has hidden on this device.
    package var dismissals: Dismissals
    /// The apps whose items and activities are not searched.
    package var appsOff: Set<String>
    /// The filter that limits the search to certain things.
    package var filter: SearchFilter
    /// The query that the results of a search by words must also meet; nil if there is none.
    package var condition: SearchQuery?
    /// The vector of the words of a search; nil if the vector is not known.
    package var meaning: Embedding?

    package init(
        kept: KeptActivities = KeptActivities(), current: KeptActivities = KeptActivities(),
        dismissals: Dismissals = Dismissals(), appsOff: Set<String> = [],
        filter: SearchFilter = SearchFilter(), condition: SearchQuery? = nil
    ) {
        (self.kept, self.current) = (kept, current)
        (self.dismissals, self.appsOff) = (dismissals, appsOff)
        (self.filter, self.condition) = (filter, condition)
    }

    /// Whether the filter or the condition of the search may exclude things.
    var isLimited: Bool { filter != SearchFilter() || condition != nil }

    /// Whether the filter or the condition needs more of a thing than its app.
    var looksInside: Bool { filter.looksInside || condition != nil }

    /// Whether an item passes the filter and the condition of the search.
    func admits(_ item: StoredItem) -> Bool {
        guard filter.admits(index: item.name.index),
            filter.admitsItem(of: item.name.app, item.content.fields)
        else { return false }
        guard let condition else { return true }
        return condition.candidate(item.name, item.content).map { condition.matches($0.item) } ?? false
    }

    /// Whether the app of an item is searched, and the item passes the filter and the condition of the search.
    func shows(_ item: StoredItem) -> Bool {
        if !appsOff.isEmpty {
            guard let app = item.content.scope.parts.first, !appsOff.contains(app) else { return false }
        }
        return admits(item)
    }

    /// Whether the app of the items in a scope is searched.
    func searchesApp(of scope: Scope) -> Bool {
        appsOff.isEmpty || scope.parts.first.map { !appsOff.contains($0) } ?? true
    }
}

extension SearchFilter {
    /// The scope of all items of the app; nil if the filter is not limited to an app.
    var scope: Scope? { app.map { Scope([$0, "items"]) } }
}
