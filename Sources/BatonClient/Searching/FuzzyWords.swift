import BatonCore

/// Words that a person types to choose among a few things: each must be in the thing, if need be with letters between.
struct FuzzyWords {
    private let words: [[Character]]

    init(_ text: String) {
        words = text.lowercased().split(whereSeparator: \.isWhitespace).map(Array.init)
    }

    var isEmpty: Bool { words.isEmpty }

    /// Returns how well a thing fits, higher for better; nil if a word is in none of its texts.
    ///
    /// A word counts most at the beginning of a text, then at the beginning of a word, then inside, and least if its letters
    /// only follow each other. The first texts count more.
    func score(_ texts: [String]) -> Int? {
        var sum = 0
        let folded = texts.map { Array($0.lowercased()) }
        for word in words {
            var best = 0
            for (place, text) in folded.enumerated() {
                best = max(best, Self.score(word, in: text) * 4 - min(place, 3))
            }
            guard best > 0 else { return nil }
            sum += best
        }
        return sum
    }

    private static func score(_ word: [Character], in text: [Character]) -> Int {
        var best = 0
        if word.count <= text.count {
            for start in 0...(text.count - word.count) where text[start...].starts(with: word) {
                if start == 0 { return 5 }
                let before = text[start - 1]
                best = max(best, before.isLetter || before.isNumber ? 3 : 4)
            }
        }
        if best > 0 { return best }
        var rest = word[...]
        for letter in text where letter == rest.first { rest.removeFirst() }
        return rest.isEmpty ? 1 : 0
    }
}
