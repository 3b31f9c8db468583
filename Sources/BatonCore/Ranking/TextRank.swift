/// Ranks the texts of an item by how the phrases of a search stand in them.
///
/// A phrase counts more the rarer it is in all items, the weightier the text in which it stands, and the shorter that
/// text is. A phrase that is a whole word counts more than one that is the beginning of a longer word. Phrases that
/// stand close together, and in the order of the search, count more.
package struct TextRank: Sendable {
    /// How much each phrase of the search counts.
    private let rarities: [Double]

    /// Creates the ranking of a search by the number of items with each phrase, among this number of items.
    package init(itemsWith counts: [Int], among all: Int) {
        let all = Double(max(all, counts.max() ?? 0))
        // As in BM25.
        rarities = counts.map { count in
            let count = Double(count)
            return (1 + (all - count + 0.5) / (count + 0.5)).binaryLogarithm
        }
    }

    /// One place where a phrase stands in the texts of an item.
    package struct Place: Sendable {
        /// The number of the phrase in the search.
        package var phrase: Int
        /// The text, as a column of `SearchText`, and the number of the words before it there.
        package var column, position: Int
        /// Whether the phrase ends where a word ends.
        package var isWhole: Bool

        package init(phrase: Int, column: Int, position: Int, isWhole: Bool) {
            (self.phrase, self.column, self.position) = (phrase, column, position)
            self.isWhole = isWhole
        }
    }

    /// The most places of one item that are looked at.
    package static let placesMost = 256

    /// The weights of the columns of `SearchText`.
    private static let weights: [Double] = [8, 5, 4, 2, 1]
    /// The typical numbers of words in these columns; a match in a longer text counts less.
    private static let typicalSizes: [Double] = [5, 5, 6, 15, 60]
    /// How much the length of a text matters.
    private static let lengthShare = 0.6
    /// How soon further matches of the same phrase add nothing.
    private static let saturation = 4.0
    /// The share of a match that is the beginning of a longer word.
    private static let beginningShare = 0.6
    /// How much nearness adds.
    private static let nearnessShare = 0.6
    /// How much it adds that a title has no other words than the search.
    private static let wholeTitleShare = 0.5

    /// Returns the score of an item by the places of the phrases, and the number of words in each column.
    ///
    /// The places of one column follow one another. The score is zero if there are none, and never negative.
    package func score(_ places: borrowing [Place], sizes: [Int]) -> Double {
        var frequencies = [Double](repeating: 0, count: rarities.count)
        var nearness = [Double](repeating: 0, count: rarities.count)
        var titleIsWhole = false
        for place in places.indices {
            let here = places[place]
            let length = Double(sizes[here.column]) / Self.typicalSizes[here.column]
            let share =
                Self.weights[here.column] * (here.isWhole ? 1 : Self.beginningShare)
                / (1 - Self.lengthShare + Self.lengthShare * length)
            frequencies[here.phrase] += share
            guard here.phrase + 1 < rarities.count else { continue }
            // The nearest place of the next phrase in the same text.
            for other in places.indices where places[other].column == here.column {
                guard places[other].phrase == here.phrase + 1 else { continue }
                let distance = places[other].position - here.position
                let near = distance > 0 ? 1 / Double(distance) : 0.5 / Double(1 - distance)
                nearness[here.phrase] = max(nearness[here.phrase], near * Self.nearness(in: here.column))
            }
        }
        if let size = sizes.first, size > 0, size <= rarities.count {
            let found = Set(places.lazy.filter { $0.column == 0 && $0.isWhole }.map(\.phrase))
            titleIsWhole = found.count == size && size == rarities.count
        }
        var score = 0.0
        for phrase in rarities.indices {
            score += rarities[phrase] * frequencies[phrase] / (Self.saturation + frequencies[phrase])
            if phrase + 1 < rarities.count {
                score +=
                    Self.nearnessShare * nearness[phrase] * min(rarities[phrase], rarities[phrase + 1])
            }
        }
        return titleIsWhole ? score * (1 + Self.wholeTitleShare) : score
    }

    /// How much nearness counts in a column: more in weightier ones.
    private static func nearness(in column: Int) -> Double { weights[column] / (4 + weights[column]) }
}
