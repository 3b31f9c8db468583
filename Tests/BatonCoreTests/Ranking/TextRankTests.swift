import BatonCore
import Glibc
import Support
import Testing

@Suite struct `The rank of texts` {
    private static let sizes = [4, 0, 0, 10, 60]

    private static func place(
        _ phrase: Int, _ column: Int, _ position: Int, isWhole: Bool = true
    ) -> TextRank.Place {
        TextRank.Place(phrase: phrase, column: column, position: position, isWhole: isWhole)
    }

    private static func score(
        _ places: [TextRank.Place], sizes: [Int] = sizes, itemsWith counts: [Int] = [10, 10]
    ) -> Double {
        TextRank(itemsWith: counts, among: 1000).score(places, sizes: sizes)
    }

    @Test func `a word in a more important text counts more`() {
        let sizes = [9, 9, 9, 9, 9]
        let scores = (0..<5).map { Self.score([Self.place(0, $0, 0)], sizes: sizes, itemsWith: [10]) }
        #expect(scores == scores.sorted(by: >) && Set(scores).count == 5)
    }

    @Test func `a whole word counts more than the beginning of a longer one`() {
        #expect(
            Self.score([Self.place(0, 0, 0)], itemsWith: [10])
                > Self.score([Self.place(0, 0, 0, isWhole: false)], itemsWith: [10]))
    }

    @Test func `a rare word counts more than a frequent one, and even a word in every item counts a little`()
    {
        let scores = [1, 10, 100, 1000].map { Self.score([Self.place(0, 0, 0)], itemsWith: [$0]) }
        #expect(scores == scores.sorted(by: >) && scores[3] > 0)
    }

    @Test func `a word counts more in a shorter text`() {
        let scores = [2, 5, 50].map {
            Self.score([Self.place(0, 0, 0)], sizes: [$0, 0, 0, 0, 0], itemsWith: [10])
        }
        #expect(scores == scores.sorted(by: >))
    }

    @Test func `each further place of the same word adds less`() {
        let scores = (1...4).map { count in
            Self.score((0..<count).map { Self.place(0, 4, $0) }, itemsWith: [10])
        }
        let steps = zip(scores.dropFirst(), scores).map { $0 - $1 }
        #expect(steps.allSatisfy { $0 > 0 } && steps == steps.sorted(by: >))
    }

    @Test func `words count more if they are adjacent and in the order of the search`() {
        let score = { (first: Int, second: Int) in
            let places = [Self.place(0, 4, first), Self.place(1, 4, second)]
            return Self.score(places.sorted { $0.position < $1.position })
        }
        #expect(score(5, 6) > score(5, 9))
        #expect(score(5, 6) > score(6, 5))
        #expect(score(6, 5) > score(9, 5))
    }

    @Test func `only the nearest pair of places counts as near`() {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<300 {
            let sets = (0..<2).map { _ in
                Set((0..<generator.number(1...4)).map { _ in generator.number(0...20) })
            }
            let score = { (first: [Int], second: [Int]) in
                let places = first.map { Self.place(0, 4, $0) } + second.map { Self.place(1, 4, $0) }
                let isFirst = generator.chance(50)
                return Self.score(
                    places.sorted {
                        $0.position != $1.position
                            ? $0.position < $1.position : ($0.phrase < $1.phrase) == isFirst
                    })
            }
            // As many places, of which only one pair is near.
            let pairs = sets[0].flatMap { first in
                sets[1].map { second in
                    score(
                        [first] + (1..<sets[0].count).map { 1_000_000 * $0 },
                        [second] + (1..<sets[1].count).map { 500_000 + 1_000_000 * $0 })
                }
            }
            let found = score(Array(sets[0]), Array(sets[1]))
            #expect(abs(found - (pairs.max() ?? 0)) < 1e-4, "\(sets)")
        }
    }

    @Test func `words in different texts never count as near`() {
        let apart = Self.score([Self.place(0, 3, 0), Self.place(1, 4, 1)])
        #expect(apart < Self.score([Self.place(0, 3, 0), Self.place(1, 3, 1)]))
    }

    @Test func `a title that consists only of the searched words counts more`() {
        let places = [Self.place(0, 0, 0), Self.place(1, 0, 1)]
        let (whole, part) = (
            Self.score(places, sizes: [2, 0, 0, 0, 0]), Self.score(places, sizes: [3, 0, 0, 0, 0])
        )
        #expect(whole > 1.4 * part)
        let beginning = [Self.place(0, 0, 0), Self.place(1, 0, 1, isWhole: false)]
        #expect(Self.score(beginning, sizes: [2, 0, 0, 0, 0]) < 1.2 * part)
    }

    @Test func `the score equals a naive evaluation, and never exceeds the item's upper bound`() {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<2000 {
            let phrases = generator.number(1...4)
            let counts = (0..<phrases).map { _ in generator.number(1...900) }
            var sizes = (0..<5).map { _ in generator.number(0...12) }
            var places: [TextRank.Place] = []
            for (column, size) in sizes.enumerated() {
                for position in 0..<size where generator.chance(30) {
                    places.append(
                        Self.place(
                            generator.number(0...phrases - 1), column, position, isWhole: generator.chance(70)
                        ))
                }
            }
            let rank = TextRank(itemsWith: counts, among: 1000)
            let score = rank.score(places, sizes: sizes)
            let expected = PlainRank(counts: counts, all: 1000).score(places, sizes)
            #expect(abs(score - expected) < 1e-9, "\(places) \(sizes)")
            #expect(rank.bound(places, &sizes) >= score, "\(places)")
        }
    }

    @Test func `an item without a matching place has no score`() { #expect(Self.score([]) == 0) }
}

/// The rank of texts as the page about searches describes it, for one phrase after the other.
private struct PlainRank {
    let counts: [Int]
    let all: Double

    private static let weights = [8.0, 5, 4, 2, 1], typical = [5.0, 5, 6, 15, 60]

    func score(_ places: [TextRank.Place], _ sizes: [Int]) -> Double {
        let sums = counts.indices.map { phrase in
            places.filter { $0.phrase == phrase }.reduce(0.0) { sum, here in
                let length = Double(sizes[here.column]) / Self.typical[here.column]
                return sum + Self.weights[here.column] * (here.isWhole ? 1 : 0.6) / (0.4 + 0.6 * length)
            }
        }
        var score = 0.0
        for phrase in counts.indices { score += rarity(phrase) * sums[phrase] / (4 + sums[phrase]) }
        for phrase in counts.indices.dropLast() {
            score += 0.6 * nearness(phrase, places) * min(rarity(phrase), rarity(phrase + 1))
        }
        let titles = Set(places.filter { $0.column == 0 && $0.isWhole }.map(\.phrase))
        return titles.count == counts.count && sizes[0] == counts.count ? score * 1.5 : score
    }

    private func rarity(_ phrase: Int) -> Double {
        log2(1 + (all - Double(counts[phrase]) + 0.5) / (Double(counts[phrase]) + 0.5))
    }

    /// How near any two places of a phrase and the next one come, in one text.
    private func nearness(_ phrase: Int, _ places: [TextRank.Place]) -> Double {
        var nearness = 0.0
        for here in places where here.phrase == phrase {
            for next in places where next.phrase == phrase + 1 && next.column == here.column {
                let distance = Double(next.position - here.position)
                let near = distance > 0 ? 1 / distance : 0.5 / (1 - distance)
                let weight = Self.weights[here.column]
                nearness = max(nearness, near * weight / (4 + weight))
            }
        }
        return nearness
    }
}
