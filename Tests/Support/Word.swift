package import BatonCore

/// A word of a text, as searches compare it.
package struct Word: Equatable, Sendable {
    /// Its letters, folded.
    package let folded: String
    /// Where it stands in the text, in bytes.
    package let range: Range<Int>

    package init(_ folded: String, at range: Range<Int>) { (self.folded, self.range) = (folded, range) }
}

extension WordCutter {
    /// Returns the words of a text, at most this many.
    package static func words(of text: String, for purpose: Purpose, most: Int = .max) -> [Word] {
        var (words, cutter, text): ([Word], WordCutter, String) = ([], WordCutter(), text)
        text.withUTF8 { text in
            cutter.cut(text, for: purpose) { folded, range in
                words.append(Word(String(decoding: folded, as: UTF8.self), at: range))
                return words.count < most
            }
        }
        return words
    }
}
