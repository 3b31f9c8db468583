package import BatonCore

/// The facts about this device, and the limits, that decide which things a search shows.
package struct SearchScope: Sendable {
    /// The activities that ended and that this device keeps for itself.
    package var kept: KeptActivities
    /// The activities that go on here and that are eligible for search, by the names under which they will be kept.
    package var current: KeptActivities
    /// The activities that are hidden on this device.
    package var dismissals: Dismissals
    /// The apps whose items and activities are not searched.
    package var appsOff: Set<String>
    /// The things that the search is limited to.
    package var filter: SearchFilter
    /// A query that results of a search for words must also meet; nil if there is none.
    package var condition: SearchQuery?
    /// The meaning of the words of a search; nil if it is not known.
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

    /// Whether the filter or the condition of the search may leave things out.
    var isLimited: Bool { filter != SearchFilter() || condition != nil }

    /// Whether the filter or the condition looks at more of a thing than its app.
    var looksInside: Bool { filter.looksInside || condition != nil }

    /// Whether an item passes the filter and the condition of the search.
    func admits(_ item: StoredItem) -> Bool {
        guard filter.admitsItem(of: item.name.app, item.content.fields) else { return false }
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
    /// The scope around the items of the app; nil for all.
    var scope: Scope? { app.map { Scope([$0, "items"]) } }
}
