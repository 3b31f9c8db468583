import BatonCore

/// Compares items and activities with a query.
struct QueryMatcher {
    var request: QueryRequest
    let plan: QueryPlan
    let store: SearchedStore
    /// Whether there are activities that may be joined with the found items.
    var mayJoin = false

    /// The largest number of bytes in the fields of a small item.
    ///
    /// A small item may be kept in memory until it is shown.
    private static let keptBytes = 4 << 10
    /// The approximate number of bytes in an attribute of an activity.
    private static let attributeBytes = 64

    init(request: QueryRequest, plan: QueryPlan, store: SearchedStore) {
        self.request = request
        self.plan = plan
        self.store = store
    }

    /// Returns the item with this number if it exists and meets the query.
    ///
    /// If `keepsSmall` is true, a small item is kept in the match. Any other item is read again when it is shown.
    func item(
        _ number: Int64, keepsSmall: Bool, _ work: inout QueryWork
    ) throws(StoreFailure) -> (match: QueryMatch, item: StoredItem)? {
        guard let item = try store.index.records.item(number: number), !item.hasExpired(at: request.now)
        else { return nil }
        let (content, filter, query) = (item.content, request.scope.filter, request.query)
        guard content.scope.isWithin(plan.outermost), request.scope.searchesApp(of: content.scope),
            filter.admits(index: item.name.index), filter.admitsItem(of: filter.app ?? "", content.fields),
            let candidate = query.candidate(item.name, content)
        else { return nil }
        try work.count(content.fields.encodedCount + candidate.byteCount * query.partCount)
        guard query.matches(candidate.item) else { return nil }
        let isKept = keepsSmall && content.fields.encodedCount <= Self.keptBytes
        let match = QueryMatch(
            name: .item(number),
            position: QueryPosition(
                keys: request.sorting.keys(of: content.fields),
                age: ItemAge(item.name, indexed: candidate.item.indexed)),
            place: FactTable.place(of: candidate.item.indexed),
            names: mayJoin ? ThingNames(item.name, content.fields) : nil, item: isKept ? item : nil)
        return (match, item)
    }

    /// Visits those of the given activities that still exist and meet the query.
    func visitActivities(
        _ identities: ArraySlice<RecordIdentity>, _ work: inout QueryWork, _ body: (QueryMatch) -> Void
    ) throws(StoreFailure) {
        var related = RelatedItems(store.index, at: request.now)
        for activity in try store.saved.queried(identities, nil, in: request.scope, at: request.now) {
            let count = activity.item.attributes.entries.count
            try work.count(count * Self.attributeBytes * request.query.partCount)
            guard request.query.matches(activity.item), try related.have(activity.names) else { continue }
            body(
                QueryMatch(
                    name: .activity(activity.identity),
                    position: QueryPosition(
                        keys: request.sorting.keys(of: activity.item.attributes),
                        age: ItemAge(activity.found)),
                    place: FactTable.place(of: activity.found.ended), names: activity.names))
        }
    }

    /// Returns a match as it is now; nil if it no longer meets the query.
    func shown(
        _ match: QueryMatch, hasChanged: Bool, _ work: inout QueryWork
    ) throws(StoreFailure) -> ShownThing? {
        switch match.name {
        case .item(let number):
            if !hasChanged, let item = match.item { return shown(item, at: match.position) }
            return try item(number, keepsSmall: false, &work).map { shown($0.item, at: match.position) }
        case .activity(let identity):
            var related = RelatedItems(store.index, at: request.now)
            let found = try store.saved.queried(
                [identity], request.query, in: request.scope, at: request.now)
            guard let activity = found.first, try related.have(activity.names) else { return nil }
            return shown(activity, at: match.position)
        }
    }

    private func shown(_ item: StoredItem, at position: QueryPosition) -> ShownThing {
        var result = ShownThing(item)
        result.position = position
        if let attributes = request.attributes { result.show(attributes, of: item.content.fields) }
        return result
    }

    private func shown(_ activity: QueriedActivity, at position: QueryPosition) -> ShownThing {
        var result = ShownThing(thing: .activity(activity.found))
        result.position = position
        result.devices = [activity.device].compactMap(\.self)
        if let attributes = request.attributes {
            result.show(attributes, of: activity.item.attributes.fields)
        }
        return result
    }
}
