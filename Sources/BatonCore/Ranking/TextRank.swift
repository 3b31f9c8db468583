/// Ranks the texts of an item by how the phrases of a search stand in them.
///
/// A phrase counts more if it is rare among all items, and if it stands in a text that is short or has a large weight.
/// A phrase that is a whole word counts more than a phrase that is the beginning of a longer word. Phrases that stand
/// close together, and in the order of the search, count more.
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
    /// How much the length of a text matters, from 0 to 1.
    private static let lengthShare = 0.6
    /// The larger this is, the more is added by further matches of the same phrase, like k₁ in BM25.
    private static let saturation = 4.0
    /// How much a match counts if it is only the beginning of a longer word.
    private static let beginningShare = 0.6
    /// How much nearness adds.
    private static let nearnessShare = 0.6
    /// The bonus for a title that has no other words than the search.
    private static let wholeTitleShare = 0.5

    /// Returns the score of an item by the places of the phrases, and the number of words in each column.
    ///
    /// The places are in the order of columns and positions. The score is zero if there are none, and never negative.
    package func score(_ places: [Place], sizes: [Int]) -> Double { score(places, sizes, isBound: false) }

    /// Returns a score that the item with these places does not exceed, whatever the number of words in its columns.
    ///
    /// These numbers cost more to read than the places. The array has a number for each column, and is overwritten.
    package func bound(_ places: [Place], _ sizes: inout [Int]) -> Double {
        for column in sizes.indices { sizes[column] = 0 }
        // A text has at least the words up to the last place. The shorter it is, the more a place counts.
        for here in places { sizes[here.column] = max(sizes[here.column], here.position + 1) }
        // Rounding may make the score of a longer text larger by a last bit.
        return score(places, sizes, isBound: true) * (1 + 1e-9)
    }

    private func score(_ places: [Place], _ sizes: [Int], isBound: Bool) -> Double {
        if rarities.count == 1 { return scoreOfOne(places, sizes) }
        // Thousands of items are ranked while a person types, so this allocates no memory.
        return withUnsafeTemporaryAllocation(of: Standing.self, capacity: rarities.count) { standings in
            standings.initialize(repeating: Standing())
            collect(places, sizes, into: standings)
            return score(standings, sizes, isBound: isBound)
        }
    }

    /// How one phrase stands in the texts of an item.
    private struct Standing {
        var frequency = 0.0
        /// How near it comes to the next phrase, in any text.
        var nearness = 0.0
        /// Its last position in the current column, and the different position before that; negative if there is none.
        var last = -1, before = -1
        /// Whether it is a whole word of the title.
        var isInTitle = false

        /// Notes a place of the phrase and a place of the next phrase in a column; a negative place counts as none.
        mutating func come(near next: Int, from place: Int, _ column: ColumnWeight) {
            guard next >= 0, place >= 0 else { return }
            nearness = max(nearness, TextRank.nearness(from: place, to: next) * column.nearness)
        }
    }

    /// Adds up how each phrase stands in the texts, in one pass.
    ///
    /// One pass is enough: among the places of only two phrases, the nearest places of both are neighbours.
    private func collect(
        _ places: [Place], _ sizes: [Int], into standings: UnsafeMutableBufferPointer<Standing>
    ) {
        var column = ColumnWeight()
        for here in places {
            let phrase = here.phrase
            if here.column != column.number {
                column = ColumnWeight(here.column, sizes)
                for other in standings.indices { (standings[other].last, standings[other].before) = (-1, -1) }
            }
            standings[phrase].frequency += column.weight(of: here)
            if here.column == 0, here.isWhole { standings[phrase].isInTitle = true }
            if standings[phrase].last != here.position { standings[phrase].before = standings[phrase].last }
            standings[phrase].last = here.position
            if phrase > 0 {
                standings[phrase - 1].come(near: here.position, from: standings[phrase - 1].last, column)
                standings[phrase - 1].come(near: here.position, from: standings[phrase - 1].before, column)
            }
            if phrase + 1 < standings.count {
                standings[phrase].come(near: standings[phrase + 1].last, from: here.position, column)
            }
        }
    }

    private func score(
        _ standings: UnsafeMutableBufferPointer<Standing>, _ sizes: [Int], isBound: Bool
    ) -> Double {
        var score = 0.0
        for phrase in rarities.indices {
            let frequency = standings[phrase].frequency
            score += rarities[phrase] * frequency / (Self.saturation + frequency)
            if phrase + 1 < rarities.count {
                score +=
                    Self.nearnessShare * standings[phrase].nearness
                    * min(rarities[phrase], rarities[phrase + 1])
            }
        }
        guard let size = sizes.first, size > 0, size <= rarities.count,
            size == rarities.count || isBound, standings.allSatisfy(\.isInTitle)
        else { return score }
        return score * (1 + Self.wholeTitleShare)
    }

    /// Returns the score for a search with one phrase, which needs no nearness.
    ///
    /// Most searches have one phrase, and these have the most places.
    private func scoreOfOne(_ places: [Place], _ sizes: [Int]) -> Double {
        var (frequency, titleIsWhole, column) = (0.0, false, ColumnWeight())
        for here in places {
            if here.column != column.number { column = ColumnWeight(here.column, sizes) }
            frequency += column.weight(of: here)
            if here.column == 0, here.isWhole, sizes[0] == 1 { titleIsWhole = true }
        }
        let score = rarities[0] * frequency / (Self.saturation + frequency)
        return titleIsWhole ? score * (1 + Self.wholeTitleShare) : score
    }

    /// How much places in one column of an item count.
    private struct ColumnWeight {
        /// The column; negative before the first.
        let number: Int
        private let weight: Double
        private let length: Double
        /// How much nearness counts there.
        let nearness: Double

        init() { (number, weight, length, nearness) = (-1, 0, 1, 0) }

        init(_ column: Int, _ sizes: [Int]) {
            (number, weight) = (column, TextRank.weights[column])
            let relative = Double(sizes[column]) / TextRank.typicalSizes[column]
            length = 1 - TextRank.lengthShare + TextRank.lengthShare * relative
            nearness = weight / (4 + weight)
        }

        /// Returns how much one place there counts for its phrase.
        func weight(of here: Place) -> Double {
            weight * (here.isWhole ? 1 : TextRank.beginningShare) / length
        }
    }

    /// How near a place is to a place of the next phrase: nearer if they are in the order of the search.
    private static func nearness(from place: Int, to next: Int) -> Double {
        next > place ? 1 / Double(next - place) : 0.5 / Double(1 + place - next)
    }
}
