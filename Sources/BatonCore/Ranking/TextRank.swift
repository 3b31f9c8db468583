/// Computes the score of an item's texts for a search, from the places where the phrases of the search stand in the
/// texts.
///
/// A phrase counts more if it is rare among all items, and if the text is short or has a large weight. A phrase that is
/// a whole word counts more than a phrase that is only the beginning of a longer word. Phrases count more if they are
/// close together and in the order of the search.
package struct TextRank: Sendable {
    /// The weight of each phrase of the search, which is larger for a rarer phrase.
    private let rarities: [Double]

    /// Creates the ranking of a search; `counts` has the number of items with each phrase, and `all` is the number of
    /// items.
    package init(itemsWith counts: [Int], among all: Int) {
        let all = Double(max(all, counts.max() ?? 0))
        // This is the formula of BM25.
        rarities = counts.map { count in
            let count = Double(count)
            return (1 + (all - count + 0.5) / (count + 0.5)).binaryLogarithm
        }
    }

    /// A place where a phrase of the search stands in the texts of an item.
    package struct Place: Sendable {
        /// The number of the phrase in the search.
        package var phrase: Int
        /// The text as a column of `SearchText`, and the number of words before the phrase in that text.
        package var column, position: Int
        /// Whether the phrase ends at the end of a word.
        package var isWhole: Bool

        package init(phrase: Int, column: Int, position: Int, isWhole: Bool) {
            (self.phrase, self.column, self.position) = (phrase, column, position)
            self.isWhole = isWhole
        }
    }

    /// The largest number of places of one item that are considered.
    package static let placesMost = 256

    /// The weights of the columns of `SearchText`.
    private static let weights: [Double] = [8, 5, 4, 2, 1]
    /// The typical number of words in each column; a match in a longer text counts less.
    private static let typicalSizes: [Double] = [5, 5, 6, 15, 60]
    /// The influence of the length of a text, from 0 to 1.
    private static let lengthShare = 0.6
    /// The saturation, like k₁ in BM25: if it is larger, further matches of the same phrase add more.
    private static let saturation = 4.0
    /// The weight of a match that is only the beginning of a longer word; a whole word has the weight 1.
    private static let beginningShare = 0.6
    /// The weight of the nearness of two phrases.
    private static let nearnessShare = 0.6
    /// The bonus for a title that has only the words of the search.
    private static let wholeTitleShare = 0.5

    /// Returns the score of an item, given the places of the phrases and the number of words in each column.
    ///
    /// The places must be sorted by column and position. The score is never negative. It is zero if there are no
    /// places.
    package func score(_ places: [Place], sizes: [Int]) -> Double { score(places, sizes, isBound: false) }

    /// Returns an upper bound of the score of an item with these places, for any number of words in its columns.
    ///
    /// Reading the numbers of words takes longer than reading the places. `sizes` has a number for each column, and its
    /// content is overwritten.
    package func bound(_ places: [Place], _ sizes: inout [Int]) -> Double {
        for column in sizes.indices { sizes[column] = 0 }
        // A text has at least the words up to its last place. A place counts more if the text is shorter.
        for here in places { sizes[here.column] = max(sizes[here.column], here.position + 1) }
        // Because of rounding, the score of a longer text may be larger by the last bit.
        return score(places, sizes, isBound: true) * (1 + 1e-9)
    }

    private func score(_ places: [Place], _ sizes: [Int], isBound: Bool) -> Double {
        if rarities.count == 1 { return scoreOfOne(places, sizes) }
        // Thousands of items are ranked while a person types, so this method allocates no memory on the heap.
        return withUnsafeTemporaryAllocation(of: Standing.self, capacity: rarities.count) { standings in
            standings.initialize(repeating: Standing())
            collect(places, sizes, into: standings)
            return score(standings, sizes, isBound: isBound)
        }
    }

    /// The matches of one phrase in the texts of an item.
    private struct Standing {
        var frequency = 0.0
        /// The largest nearness of this phrase to the next phrase in any text.
        var nearness = 0.0
        /// The last position of the phrase in the current column, and the last different position before it.
        ///
        /// They are negative if there is no such position.
        var last = -1, before = -1
        /// Whether the phrase is a whole word of the title.
        var isInTitle = false

        /// Notes that this phrase stands at `place` and the next phrase at `next`; a negative place means no place.
        mutating func come(near next: Int, from place: Int, _ column: ColumnWeight) {
            guard next >= 0, place >= 0 else { return }
            nearness = max(nearness, TextRank.nearness(from: place, to: next) * column.nearness)
        }
    }

    /// Collects the matches of each phrase in the texts, in one pass.
    ///
    /// One pass is enough. If only the places of two phrases are considered, the nearest places of both phrases are
    /// neighbours.
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

    /// Returns the score for a search with a single phrase, which needs no nearness.
    ///
    /// Most searches have a single phrase, and the texts have the most places for such searches.
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

    /// The weights of places in one column of an item.
    private struct ColumnWeight {
        /// The number of the column; negative before the first column.
        let number: Int
        private let weight: Double
        private let length: Double
        /// The weight of nearness in this column.
        let nearness: Double

        init() { (number, weight, length, nearness) = (-1, 0, 1, 0) }

        init(_ column: Int, _ sizes: [Int]) {
            (number, weight) = (column, TextRank.weights[column])
            let relative = Double(sizes[column]) / TextRank.typicalSizes[column]
            length = 1 - TextRank.lengthShare + TextRank.lengthShare * relative
            nearness = weight / (4 + weight)
        }

        /// Returns the weight of one place in this column for its phrase.
        func weight(of here: Place) -> Double {
            weight * (here.isWhole ? 1 : TextRank.beginningShare) / length
        }
    }

    /// Returns the nearness of a place to a place of the next phrase, which is larger if the two are in the order of
    /// the search.
    private static func nearness(from place: Int, to next: Int) -> Double {
        next > place ? 1 / Double(next - place) : 0.5 / Double(1 + place - next)
    }
}
