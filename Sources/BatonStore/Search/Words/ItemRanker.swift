import BatonCore

/// Ranks items by their complete score; each item that is ranked must be read, so no more are ranked than are needed.
struct ItemRanker {
    let store: SearchedStore
    let request: WordRequest

    /// How many of the best items are kept in memory until they are shown, and the most bytes of such an item.
    private static let (keptMost, keptBytes) = (50, 8 << 10)

    /// Ranks the best of the ordered items that exist and have not expired.
    ///
    /// If only some of several equally good items are wanted, the newest are ranked, so that every device ranks the
    /// same.
    ///
    /// Returns nil if items below the floor may be among the best, because some of those items were left out.
    func best(_ most: Int, of ordered: ScoredItems) throws(StoreFailure) -> [RankedThing]? {
        var (ranked, rest) = ([RankedThing](), ordered.items[...])
        while ranked.count < most {
            guard let first = rest.first else { return ordered.floor == nil ? ranked : nil }
            if let floor = ordered.floor, first.score < floor { return nil }
            var equal = rest.prefix { $0.score == first.score }
            rest = rest.dropFirst(equal.count)
            if ranked.count + equal.count > most { equal = try newestFirst(equal) }
            for item in equal where ranked.count < most {
                if let thing = try rank(item, keepsItem: ranked.count < Self.keptMost) {
                    ranked.append(thing)
                }
            }
        }
        return ranked
    }

    /// Returns the items sorted by age, the newest first.
    private func newestFirst(_ items: ArraySlice<ScoredItem>) throws(StoreFailure) -> ArraySlice<ScoredItem> {
        let byNumber = Dictionary(uniqueKeysWithValues: items.map { ($0.number, $0) })
        let numbers = try store.index.tables.records.newestFirst(items.map(\.number))
        return numbers.compactMap { byNumber[$0] }[...]
    }

    /// Ranks an item by its complete score; nil if the item does not exist or is left out.
    private func rank(_ scored: ScoredItem, keepsItem: Bool) throws(StoreFailure) -> RankedThing? {
        guard let item = try store.index.records.item(number: scored.number),
            !item.hasExpired(at: request.now), request.scope.shows(item)
        else { return nil }
        let fields = RankedFields(item.name, item.content.fields)
        let rank = ItemRank(
            text: scored.text, meaning: request.nearness.items[scored.number] ?? 0,
            use: store.recent.use(of: scored.number), fields.facts, at: request.now)
        let isKept = keepsItem && item.content.fields.encodedCount <= Self.keptBytes
        return RankedThing(
            subject: .item(scored.number, isKept ? item : nil), rank: rank, names: fields.names,
            age: ItemAge(item.name, indexed: fields.indexed))
    }
}
