/// A text that is cut into words, to be compared with patterns of words.
///
/// The words are the same as in the full-text index. The only difference is that each letter of a script without spaces
/// is a word here.
struct WordText {
    /// The folded words, without separators between them.
    private(set) var bytes: [UInt8] = []
    /// The range of each word in the bytes.
    private(set) var words: [Range<Int>] = []
    /// For each index of the bytes, and for their end, whether a word may begin or end there.
    private(set) var edges = [true]

    /// Cuts a text into words.
    ///
    /// With `splitsCase`, a word may also begin or end between a small letter and a capital that follows it.
    init(_ text: String, folding: Folding, splitsCase: Bool) {
        var text = text
        text.withUTF8 { text in
            var place = 0
            while let run = text.nextRun(from: &place) {
                if run.isUnspaced {
                    for letter in text.letters(in: run.range) { append(letter, of: text, folding) }
                } else if splitsCase {
                    appendParts(of: run.range, in: text, folding)
                } else {
                    append(run.range, of: text, folding)
                }
            }
        }
    }

    /// Appends a word.
    private mutating func append(_ range: Range<Int>, of text: UnsafeBufferPointer<UInt8>, _ folding: Folding)
    {
        let start = bytes.count
        folding.fold(utf8: UnsafeBufferPointer(rebasing: text[range]), into: &bytes)
        guard bytes.count > start else { return }
        words.append(start..<bytes.count)
        addEdge()
    }

    /// Notes that a word may begin or end at the current end of the bytes.
    private mutating func addEdge() {
        guard bytes.count >= edges.count else { return }
        edges += repeatElement(false, count: bytes.count - edges.count)
        edges.append(true)
    }

    /// Appends a word, and notes that a word may also begin or end before each capital that follows a small letter.
    private mutating func appendParts(
        of range: Range<Int>, in text: UnsafeBufferPointer<UInt8>, _ folding: Folding
    ) {
        let start = bytes.count
        var (place, last, wasSmall) = (range.lowerBound, range.lowerBound, false)
        for scalar in String(decoding: text[range], as: UTF8.self).unicodeScalars {
            let category = scalar.properties.generalCategory
            if wasSmall, category == .uppercaseLetter || category == .titlecaseLetter {
                folding.fold(utf8: UnsafeBufferPointer(rebasing: text[last..<place]), into: &bytes)
                addEdge()
                last = place
            }
            // Marks belong to the letter before them.
            if WordClass(scalar) != .mark { wasSmall = category == .lowercaseLetter }
            place += UTF8.width(scalar)
        }
        folding.fold(utf8: UnsafeBufferPointer(rebasing: text[last..<range.upperBound]), into: &bytes)
        guard bytes.count > start else { return }
        words.append(start..<bytes.count)
        addEdge()
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The ranges of the letters in a text of a script without spaces.
    ///
    /// Each range includes the letter's marks.
    func letters(in range: Range<Int>) -> [Range<Int>] {
        var (letters, place) = ([Range<Int>](), range.lowerBound)
        while place < range.upperBound {
            let end = endOfLetter(from: place, before: range.upperBound)
            letters.append(place..<end)
            place = end
        }
        return letters
    }
}
