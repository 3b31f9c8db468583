import BatonCore

/// Words that a person types to choose among a few things: a thing matches if it has each word, perhaps with other
/// letters in between.
package struct FuzzyWords {
    private let words: [[Character]]

    package init(_ text: String) {
        words = text.split(whereSeparator: \.isWhitespace).map { Folded($0).letters }
    }

    package var isEmpty: Bool { words.isEmpty }

    /// How well a thing matches, and where.
    package struct Match: Equatable {
        /// Higher for better.
        package var score = 0
        /// The matched letters: for each text, ranges of its bytes, in order and without overlaps.
        package var ranges: [[Range<Int>]]
    }

    /// Returns how well a thing matches; nil if a word is in none of its texts.
    ///
    /// A match at the beginning of a text counts most, then one at the beginning of a word, then one inside a word,
    /// then one with letters in between. Earlier texts count more.
    package func match(_ texts: [String]) -> Match? {
        let folded = texts.map { Folded($0[...]) }
        var match = Match(ranges: texts.map { _ in [] })
        for word in words {
            var best: (score: Int, place: Int, letters: [Int])?
            for (place, text) in folded.enumerated() {
                guard let found = text.find(word) else { continue }
                let score = found.score * 4 - min(place, 3)
                if score > best?.score ?? 0 { best = (score, place, found.letters) }
            }
            guard let best else { return nil }
            match.score += best.score
            match.ranges[best.place] += best.letters.map { folded[best.place].bytes[$0] }
        }
        match.ranges = match.ranges.map(Self.joined)
        return match
    }

    /// Puts ranges in order, and joins those that touch.
    private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    /// A text in small letters, each with the position of its bytes in the original text.
    private struct Folded {
        var letters: [Character] = []
        var bytes: [Range<Int>] = []

        init(_ text: Substring) {
            var start = 0
            for character in text {
                let end = start + character.utf8.count
                for letter in character.lowercased() {
                    letters.append(letter)
                    bytes.append(start..<end)
                }
                start = end
            }
        }

        /// Finds a word; returns how well it matches and its letters, or nil if it is missing.
        func find(_ word: [Character]) -> (score: Int, letters: [Int])? {
            var best: (score: Int, letters: [Int])?
            if word.count <= letters.count {
                for start in 0...(letters.count - word.count) where letters[start...].starts(with: word) {
                    let found = Array(start..<(start + word.count))
                    if start == 0 { return (5, found) }
                    let before = letters[start - 1]
                    let score = before.isLetter || before.isNumber ? 3 : 4
                    if score > best?.score ?? 0 { best = (score, found) }
                }
            }
            if let best { return best }
            var (rest, found) = (word[...], [Int]())
            for (place, letter) in letters.enumerated() where letter == rest.first {
                rest.removeFirst()
                found.append(place)
            }
            return rest.isEmpty ? (1, found) : nil
        }
    }
}
