import BatonCore

/// The items that have the words of a search, and the scores of their texts.
struct WordCandidates {
    /// The record numbers and scores of the items, each item once.
    private(set) var items: [(number: Int64, score: Double)] = []
    /// Whether no other items have the words.
    var isWhole = true
    /// The score, including meaning and use, below which items were left out; nil if no items were left out.
    var floor: Double?

    mutating func add(_ number: Int64, _ score: Double) { items.append((number, score)) }

    /// Adds the items of other candidates that are not in the list yet.
    mutating func add(new others: WordCandidates) {
        let known = Set(items.map(\.number))
        items += others.items.filter { !known.contains($0.number) }
    }
}
