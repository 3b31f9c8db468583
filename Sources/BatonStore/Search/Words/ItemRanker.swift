import BatonCore

/// Ranks items by all that counts; it reads each item that it ranks, and so ranks no more than are needed.
struct ItemRanker {
    let store: SearchedStore
    let request: WordRequest

    /// This many of the best items, which are mostly shown, are kept until then if they have at most these bytes.
    private static let (keptMost, keptBytes) = (50, 8 << 10)

    /// Ranks the best items of an order that exist and have not expired.
    ///
    /// If not all that are equally good are wanted, the newest are ranked, so that every device ranks the same.
    ///
    /// Nil if items below the floor, of which some were left out, would be among them.
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

    /// Returns items in the order in which the newest come first.
    private func newestFirst(_ items: ArraySlice<ScoredItem>) throws(StoreFailure) -> ArraySlice<ScoredItem> {
        let byNumber = Dictionary(uniqueKeysWithValues: items.map { ($0.number, $0) })
        let numbers = try store.index.tables.records.newestFirst(items.map(\.number))
        return numbers.compactMap { byNumber[$0] }[...]
    }

    /// Ranks an item by all that counts; nil if it is not there or is left out.
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
