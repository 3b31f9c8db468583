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
        var frequencies = [Double](repeating: 0, count: rarities.count)
        var titleIsWhole = false
        for here in places { frequencies[here.phrase] += Self.weight(of: here, sizes) }
        let nearness = rarities.count > 1 ? nearness(places) : []
        if let size = sizes.first, size > 0, size <= rarities.count {
            let found = Set(places.lazy.filter { $0.column == 0 && $0.isWhole }.map(\.phrase))
            titleIsWhole = found.count == rarities.count && (size == rarities.count || isBound)
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

    /// Returns the score for a search with one phrase, which is near nothing.
    ///
    /// Most searches have one phrase, and these have the most places.
    private func scoreOfOne(_ places: [Place], _ sizes: [Int]) -> Double {
        var (frequency, titleIsWhole) = (0.0, false)
        for here in places {
            frequency += Self.weight(of: here, sizes)
            if here.column == 0, here.isWhole, sizes[0] == 1 { titleIsWhole = true }
        }
        let score = rarities[0] * frequency / (Self.saturation + frequency)
        return titleIsWhole ? score * (1 + Self.wholeTitleShare) : score
    }

    /// Returns how much one place counts for its phrase.
    private static func weight(of here: Place, _ sizes: [Int]) -> Double {
        let length = Double(sizes[here.column]) / typicalSizes[here.column]
        return weights[here.column] * (here.isWhole ? 1 : beginningShare)
            / (1 - lengthShare + lengthShare * length)
    }

    /// Returns how near each phrase but the last comes to the next one, in any text.
    ///
    /// In one pass: the nearest places of two phrases follow one another, if only their own places are looked at.
    private func nearness(_ places: [Place]) -> [Double] {
        var nearness = [Double](repeating: 0, count: rarities.count - 1)
        // The last place of each phrase in the present column, and the last one that stood before that.
        var last = [Int?](repeating: nil, count: rarities.count)
        var before = last
        var column = -1
        for here in places {
            if here.column != column {
                column = here.column
                for phrase in last.indices { (last[phrase], before[phrase]) = (nil, nil) }
            }
            if last[here.phrase] != here.position { before[here.phrase] = last[here.phrase] }
            last[here.phrase] = here.position
            let weight = Self.weights[column] / (4 + Self.weights[column])
            if here.phrase > 0 {
                for place in [last[here.phrase - 1], before[here.phrase - 1]] {
                    guard let place else { continue }
                    let near = Self.nearness(from: place, to: here.position) * weight
                    nearness[here.phrase - 1] = max(nearness[here.phrase - 1], near)
                }
            }
            if here.phrase + 1 < rarities.count, let next = last[here.phrase + 1] {
                let near = Self.nearness(from: here.position, to: next) * weight
                nearness[here.phrase] = max(nearness[here.phrase], near)
            }
        }
        return nearness
    }

    /// How near a place is to that of the next phrase: nearer if it stands before it.
    private static func nearness(from place: Int, to next: Int) -> Double {
        next > place ? 1 / Double(next - place) : 0.5 / Double(1 + place - next)
    }
}
