package import BatonCore
import Glibc

/// The searches that a person makes over some months, each to open one document, with what they type.
///
/// It knows nothing of how Baton ranks: it has no half-life and counts nothing. It assumes that
///
/// - interest in documents differs widely: its logarithm is normal, so that a few documents get most openings;
/// - interest drifts: each day the logarithm moves by chance and a little back to its mean, so that what is opened often
///   in one month is mostly other things some months later;
/// - a day has a topic, which often lasts some days, and whose documents are wanted more;
/// - one opening in six is of any document at all, however dull;
/// - the person types the beginning of one or two words of the title, and looks for that document alone.
///
/// Words are drawn so that frequent ones stand in many titles, and a beginning of them means many documents.
package struct UseTrace {
    /// The titles of the documents.
    package private(set) var titles: [String] = []
    package private(set) var openings: [Opening] = []

    /// A search that ends with an opening.
    package struct Opening {
        package let time: WallTime
        /// The number of the document.
        package let document: Int
        /// The text that the person typed.
        package let typed: String
    }

    /// The begin of the first day.
    package static let start = WallTime(milliseconds: 1_790_000_000_000)
    private static let day = 86_400_000

    package init(seed: UInt64, documents: Int, days: Int, openingsPerDay: Int) {
        var generator = SeededGenerator(seed: seed)
        let words = Self.words(400, &generator)
        for _ in 0..<documents {
            let title = (0..<3).map { _ in words[Self.frequent(words.count, &generator)] }
            titles.append(title.joined(separator: " "))
        }
        let topics = 12
        var interest = (0..<documents).map { _ in 2 * Self.normal(&generator) }
        var topic = 0
        for day in 0..<days {
            // The logarithm of interest keeps a standard deviation of 2, and forgets in about a month.
            for document in interest.indices {
                interest[document] += -interest[document] / 30 + 0.52 * Self.normal(&generator)
            }
            if generator.chance(40) { topic = generator.number(0...topics - 1) }
            let weights = interest.enumerated().map { exp($1) * ($0 % topics == topic ? 6 : 1) }
            for number in 0..<openingsPerDay {
                let document =
                    generator.chance(16)
                    ? generator.number(0...documents - 1) : Self.drawn(weights, &generator)
                let time = Self.start.advanced(
                    by: .milliseconds(day * Self.day + (number + 1) * Self.day / (openingsPerDay + 1)))
                openings.append(
                    Opening(
                        time: time, document: document, typed: Self.typed(of: titles[document], &generator)))
            }
        }
    }

    /// Returns the mean reciprocal rank of the documents that are sought from a day on; each one is opened afterwards.
    ///
    /// A document that is not among the results counts zero.
    package func reciprocalRank(
        fromDay first: Int, find: (Opening) throws -> [Int], open: (Opening) throws -> Void
    ) rethrows -> Double {
        var (sum, count) = (0.0, 0)
        let begin = Self.start.advanced(by: .milliseconds(first * Self.day))
        for opening in openings {
            if opening.time >= begin {
                count += 1
                if let place = try find(opening).firstIndex(of: opening.document) {
                    sum += 1 / Double(place + 1)
                }
            }
            try open(opening)
        }
        return sum / Double(max(count, 1))
    }

    // MARK: Drawing

    /// Returns the beginnings of one or two words of a title.
    private static func typed(of title: String, _ generator: inout SeededGenerator) -> String {
        let words = generator.shuffled(title.split(separator: " ").map(String.init))
        return words.prefix(generator.chance(70) ? 1 : 2).enumerated().map { place, word in
            // All words but the last are whole.
            place == 0 ? String(word.prefix(generator.number(1...4))) : word
        }.reversed().joined(separator: " ")
    }

    /// Returns words of two or three syllables, each once.
    private static func words(_ count: Int, _ generator: inout SeededGenerator) -> [String] {
        let (heads, vowels) = (Array("bdfgklmnprstvz"), Array("aeiou"))
        var (words, known) = ([String](), Set<String>())
        while words.count < count {
            let word = String(
                (0..<generator.number(2...3)).flatMap { _ in [generator.pick(heads), generator.pick(vowels)] }
            )
            if known.insert(word).inserted { words.append(word) }
        }
        return words
    }

    /// Draws a number below a count, small ones more often.
    private static func frequent(_ count: Int, _ generator: inout SeededGenerator) -> Int {
        Int(Double(count) * pow(uniform(&generator), 2.5))
    }

    /// Draws a number with the chances that its weight gives it.
    private static func drawn(_ weights: [Double], _ generator: inout SeededGenerator) -> Int {
        var rest = uniform(&generator) * weights.reduce(0, +)
        for (number, weight) in weights.enumerated() {
            rest -= weight
            if rest < 0 { return number }
        }
        return weights.count - 1
    }

    private static func uniform(_ generator: inout SeededGenerator) -> Double {
        Double(generator.next() >> 11) / Double(UInt64(1) << 53)
    }

    /// Draws from the normal distribution, nearly: the sum of twelve uniform numbers.
    private static func normal(_ generator: inout SeededGenerator) -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + uniform(&generator) }
    }
}
