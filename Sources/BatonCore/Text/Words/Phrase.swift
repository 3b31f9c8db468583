/// A part of a search text: a word, or text of a script without spaces whose letters must be adjacent.
package struct Phrase: Equatable, Sendable {
    /// The letters as they were typed, without separators; cut by themselves, they give the same words.
    package let text: String
    /// Whether more letters may follow: the phrase ends the text, or it is a single letter of a script without spaces.
    package let isOpen: Bool

    package init(_ text: String, isOpen: Bool) { (self.text, self.isOpen) = (text, isOpen) }

    /// The most words that are searched for at once; further words are ignored, so that the work of a search is
    /// bounded.
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

    /// The folded words, which follow one another; several only for text of a script without spaces.
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
