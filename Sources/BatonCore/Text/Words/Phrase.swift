/// A part of a search text.
///
/// It is either one word, or a text in a script without spaces, whose letters must be adjacent.
package struct Phrase: Equatable, Sendable {
    /// The letters as the person typed them, without separators.
    ///
    /// If this text is cut into words alone, the words are the same.
    package let text: String
    /// Whether a match may have more letters after the phrase.
    ///
    /// This is so if the phrase is at the end of the search text, or if it is a single letter of a script without
    /// spaces.
    package let isOpen: Bool

    package init(_ text: String, isOpen: Bool) { (self.text, self.isOpen) = (text, isOpen) }

    /// The largest number of words that are searched for at once.
    ///
    /// Further words are ignored, so that the cost of a search is limited.
    package static let wordsMost = 32

    /// Returns the phrases of a search text.
    package static func all(of text: String) -> [Phrase] {
        var (phrases, words, text) = ([Phrase](), 0, text)
        text.withUTF8 { text in
            var place = 0
            while words < wordsMost, let run = text.nextRun(from: &place) {
                let letters = UnsafeBufferPointer(rebasing: text[run.range])
                var (cutter, end, count) = (WordCutter(), 0, 0)
                cutter.cut(letters, for: .query) { _, range in
                    (end, count) = (range.upperBound, count + 1)
                    return words + count < wordsMost
                }
                guard count > 0 else { continue }
                words += count
                let isLone = run.isUnspaced && Self.isOneLetter(letters)
                phrases.append(
                    Phrase(
                        String(decoding: letters[..<end], as: UTF8.self),
                        isOpen: isLone || (end == letters.count && run.range.upperBound == text.count)))
            }
        }
        return phrases
    }

    /// The folded words of the phrase, in order.
    ///
    /// There are several words only if the phrase is in a script without spaces.
    package var words: [[UInt8]] {
        var (words, text, cutter) = ([[UInt8]](), text, WordCutter())
        text.withUTF8 { text in
            cutter.cut(text, for: .query) { word, _ in
                words.append(Array(word))
                return true
            }
        }
        return words
    }

    private static func isOneLetter(_ letters: UnsafeBufferPointer<UInt8>) -> Bool {
        letters.endOfLetter(from: 0, before: letters.count) == letters.count
    }
}
