import BatonCore

/// An item with the score that is known before the item is read.
struct ScoredItem {
    let number: Int64
    /// The score of its texts alone.
    let text: Double
    /// The score of its texts together with its meaning and its use.
    let score: Double
}

/// The candidates of a search with their scores; they are read in the order of these scores, the best first.
struct ScoredItems {
    /// The items, the best first once they are ordered.
    let items: [ScoredItem]
    /// The score below which items were left out; nil if none were.
    let floor: Double?

    private init(_ items: [ScoredItem], floor: Double?) { (self.items, self.floor) = (items, floor) }

    /// Scores candidates, and the items whose meaning is near.
    init(_ candidates: WordCandidates, _ request: WordRequest, _ recent: RecentItems) {
        let near = request.nearness.items
        var all = candidates.items
        if !near.isEmpty {
            // Items that were left out because of low scores are below the floor even with their meaning.
            let known = Set(all.map(\.number))
            for number in near.keys where !known.contains(number) { all.append((number, 0)) }
        }
        items = all.map { number, text in
            let use = ItemRank.factor(of: recent.use(of: number), at: request.now)
            let score = ItemRank.firstScore(text: text, meaning: near[number] ?? 0, use: use)
            return ScoredItem(number: number, text: text, score: score)
        }
        floor = candidates.floor
    }

    /// Returns the best `most` items, and all that are as good as the last of them; nil if there are no more than
    /// `most`.
    func best(_ most: Int) -> ScoredItems? {
        guard items.count > most else { return nil }
        var top = BestScores(most: most)
        for item in items { top.add(item.score) }
        return top.least.map { least in ScoredItems(items.filter { $0.score >= least }, floor: least) }
    }

    /// The items, the best first.
    var ordered: ScoredItems { ScoredItems(items.sorted { $0.score > $1.score }, floor: floor) }
}
