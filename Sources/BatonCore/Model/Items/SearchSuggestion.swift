/// A text that a person may want to search for.
///
/// It notes which parts of the text the person has typed.
package struct SearchSuggestion: Equatable, Sendable {
    package var text: String
    package var kind: Kind
    /// The ranges of the typed words in the text.
    ///
    /// They are in bytes of UTF-8, in ascending order, and do not overlap.
    package var typed: [Range<Int>]

    /// The source of a suggestion.
    package enum Kind: UInt64, Sendable {
        /// A word that occurs in items, appended to the words that the person typed before it.
        case word = 1
        /// The title of an item.
        case title = 2
        /// An earlier search of the person, remembered because it was useful.
        case search = 3
    }

    package init(_ text: String, _ kind: Kind, typed: [Range<Int>]) {
        (self.text, self.kind, self.typed) = (text, kind, typed)
    }

    /// The text, divided into the parts that the person typed and the other parts.
    package var parts: [(text: String, isTyped: Bool)] {
        var (parts, place) = ([(text: String, isTyped: Bool)](), 0)
        let bytes = Array(text.utf8)
        let add = { (range: Range<Int>, isTyped: Bool) in
            guard !range.isEmpty else { return }
            parts.append((String(decoding: bytes[range], as: UTF8.self), isTyped))
        }
        for range in typed {
            add(place..<range.lowerBound, false)
            add(range, true)
            place = range.upperBound
        }
        add(place..<bytes.count, false)
        return parts
    }

    /// Whether the ranges of typed words are in order, lie within the text, and cut no Unicode scalar.
    package var isSound: Bool {
        var place = 0
        let bytes = Array(text.utf8)
        for range in typed {
            guard range.lowerBound >= place, range.upperBound <= bytes.count else { return false }
            for end in [range.lowerBound, range.upperBound] where end < bytes.count {
                guard bytes[end] & 0xc0 != 0x80 else { return false }
            }
            place = range.upperBound
        }
        return true
    }
}
