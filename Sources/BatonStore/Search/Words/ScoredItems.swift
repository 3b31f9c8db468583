import BatonCore

/// An item, and the scores that are known before the item is read.
struct ScoredItem {
    let number: Int64
    /// The score of the item's texts alone.
    let text: Double
    /// The score of the item's texts, its meaning and its use together.
    let score: Double
}

/// The candidates of a search, and their scores.
///
/// Candidates are read in the order of these scores, the best first.
struct ScoredItems {
    /// The items; in the value of `ordered`, the best come first.
    let items: [ScoredItem]
    /// The score below which items were left out; nil if no items were left out.
    let floor: Double?

    private init(_ items: [ScoredItem], floor: Double?) { (self.items, self.floor) = (items, floor) }

    /// Scores the candidates, and the items with a similar meaning.
    init(_ candidates: WordCandidates, _ request: WordRequest, _ recent: RecentItems) {
        let near = request.nearness.items
        var all = candidates.items
        if !near.isEmpty {
            // If a candidate was left out because of its low score, it is below the floor even with the score of its
            // meaning.
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

    /// Returns the best `most` items, and further items that are as good as the last of these.
    ///
    /// Returns nil if there are no more than `most` items.
    func best(_ most: Int) -> ScoredItems? {
        guard items.count > most else { return nil }
        var top = BestScores(most: most)
        for item in items { top.add(item.score) }
        return top.least.map { least in ScoredItems(items.filter { $0.score >= least }, floor: least) }
    }

    /// The same items, the best first.
    var ordered: ScoredItems { ScoredItems(items.sorted { $0.score > $1.score }, floor: floor) }
}
