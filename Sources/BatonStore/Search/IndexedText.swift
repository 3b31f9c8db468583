import BatonCore

/// The words of an item or an activity, as the full-text table would have them.
struct IndexedText {
    /// The bytes of the words, one word after the other.
    private var bytes: [UInt8] = []
    /// The offset in `bytes` where each word ends.
    ///
    /// A word has no largest length: in scripts without spaces, a letter may have any number of marks.
    private var ends: [Int32] = []
    /// The number of words in each column.
    private(set) var sizes: [Int] = []

    init(_ text: SearchText) {
        var cutter = WordCutter()
        for var column in text.texts {
            var size = 0
            column.withUTF8 { column in
                unsafe cutter.cut(column, for: .index) { word, _ in
                    unsafe bytes += word
                    ends.append(Int32(bytes.count))
                    size += 1
                    return true
                }
            }
            sizes.append(size)
        }
    }

    /// A phrase to find.
    struct Sought {
        let words: [[UInt8]]
        let isOpen: Bool

        init(_ phrase: Phrase) { (words, isOpen) = (phrase.words, phrase.isOpen) }
    }

    /// The number of bytes that the words and their offsets take.
    var byteCount: Int { bytes.count + 4 * ends.count }

    /// The words, one after the other.
    var words: [[UInt8]] {
        var start = 0
        return ends.map { end in
            defer { start = Int(end) }
            return Array(bytes[start..<Int(end)])
        }
    }

    /// The result that `find(_:_:)` returns if the text has all phrases.
    static func all(of phrases: [Sought]) -> UInt64 { 1 << UInt64(phrases.count) - 1 }

    /// Finds phrases in the text, and adds their places to `places`.
    ///
    /// In the result, the bit with the number of each found phrase is set.
    func find(_ phrases: [Sought], _ places: inout [TextRank.Place]) -> UInt64 {
        var found: UInt64 = 0
        var first = 0
        for (column, size) in sizes.enumerated() {
            for position in 0..<size {
                for (number, phrase) in phrases.enumerated() {
                    guard let isWhole = stands(phrase, at: first + position, before: first + size) else {
                        continue
                    }
                    found |= 1 << UInt64(number)
                    guard places.count < TextRank.placesMost else { continue }
                    places.append(
                        TextRank.Place(phrase: number, column: column, position: position, isWhole: isWhole))
                }
            }
            first += size
        }
        return found
    }

    /// Returns whether the phrase is in the text, beginning with the word number `first`.
    ///
    /// Returns nil if the phrase is not there. Returns false if only the beginning of the last word matches, and true
    /// if the whole word does.
    private func stands(_ phrase: Sought, at first: Int, before end: Int) -> Bool? {
        guard first + phrase.words.count <= end else { return nil }
        for (number, word) in phrase.words.enumerated() {
            let start = first + number == 0 ? 0 : Int(ends[first + number - 1])
            let count = Int(ends[first + number]) - start
            let mayBeLonger = phrase.isOpen && number == phrase.words.count - 1
            guard mayBeLonger ? word.count <= count : word.count == count else { return nil }
            for offset in word.indices where bytes[start + offset] != word[offset] { return nil }
            if mayBeLonger, word.count < count { return false }
        }
        return true
    }
}

extension SearchExplanation {
    /// Notes which words of a search are not in a text.
    mutating func findMissing(_ words: String, in text: IndexedText) {
        let phrases = Phrase.all(of: words)
        var places: [TextRank.Place] = []
        let found = text.find(phrases.map { IndexedText.Sought($0) }, &places)
        self.words = phrases.indices.filter { found & 1 << UInt64($0) == 0 }.map { phrases[$0].text }
        if !self.words.isEmpty { outcome = .lacksWords }
    }
}
