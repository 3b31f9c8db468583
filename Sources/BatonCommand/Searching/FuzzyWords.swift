import BatonCore

/// Words that a person types to choose among a few things: each must be in the thing, if need be with letters between.
struct FuzzyWords {
    private let words: [[Character]]

    init(_ text: String) {
        words = text.split(whereSeparator: \.isWhitespace).map { Folded($0).letters }
    }

    var isEmpty: Bool { words.isEmpty }

    /// How well a thing fits, and where.
    struct Match: Equatable {
        /// Higher for better.
        var score = 0
        /// The letters that were typed: for each text, ranges of its bytes, in order, that do not overlap.
        var ranges: [[Range<Int>]]
    }

    /// Returns how well a thing fits; nil if a word is in none of its texts.
    ///
    /// A word counts most at the beginning of a text, then at the beginning of a word, then inside, and least if its letters
    /// only follow each other. The first texts count more.
    func match(_ texts: [String]) -> Match? {
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

    /// A text in small letters, each with the bytes from which it came.
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

        /// Finds a word; returns how well it fits and its letters, or nil if it is not there.
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
