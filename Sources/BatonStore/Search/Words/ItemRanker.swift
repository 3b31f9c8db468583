import BatonCore

/// Ranks items by their complete score.
///
/// An item must be read to be ranked, so no more items are ranked than are needed.
struct ItemRanker {
    let store: SearchedStore
    let request: WordRequest

    /// The number of the best items that are kept in memory until they are shown, and the largest size of such an item.
    private static let (keptMost, keptBytes) = (50, 8 << 10)

    /// Ranks the first `most` of the ordered items that exist and have not expired.
    ///
    /// If only some of several equally good items are wanted, the newest of them are ranked. This way, every device
    /// ranks the same items.
    ///
    /// Items below the floor may have been left out of the candidates. Returns nil if such items may be among the best.
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

    /// Returns the items in the order of their times, the newest first.
    private func newestFirst(_ items: ArraySlice<ScoredItem>) throws(StoreFailure) -> ArraySlice<ScoredItem> {
        let byNumber = Dictionary(uniqueKeysWithValues: items.map { ($0.number, $0) })
        let numbers = try store.index.tables.records.newestFirst(items.map(\.number))
        return numbers.compactMap { byNumber[$0] }[...]
    }

    /// Ranks an item by its complete score; returns nil if the item does not exist or may not be shown.
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
