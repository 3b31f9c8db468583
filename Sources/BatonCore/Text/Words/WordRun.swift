/// A sequence of letters and their marks between separators.
///
/// It is either one word or a text in a script without spaces.
struct WordRun: Equatable {
    /// The range of the run in the text, in bytes.
    var range: Range<Int>
    /// Whether the run is text in a script without spaces.
    var isUnspaced: Bool
    /// Whether the whole run is ASCII.
    var isASCII: Bool
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the first run that begins at or after a position, and moves the position to the end of the run.
    func nextRun(from place: inout Int) -> WordRun? {
        while place < count {
            let first = part(at: place)
            guard first.wordClass == .word || first.wordClass == .unspaced else {
                place += first.length
                continue
            }
            let start = place
            var isASCII = first.length == 1
            place += first.length
            while place < count {
                let next = part(at: place)
                guard next.wordClass == first.wordClass || next.wordClass == .mark else { break }
                if next.length > 1 { isASCII = false }
                place += next.length
            }
            return WordRun(
                range: start..<place, isUnspaced: first.wordClass == .unspaced, isASCII: isASCII)
        }
        return nil
    }

    /// Returns the end of the letter that begins at a position, in a run that ends at `end`.
    ///
    /// In decomposed Korean, the vowel and the final consonant belong to the same letter as the first consonant,
    /// because the composed syllable is one letter.
    func endOfLetter(from place: Int, before end: Int) -> Int {
        var next = place + part(at: place).length
        while next < end {
            let part = part(at: next)
            guard part.wordClass == .mark || part.continuesSyllable else { break }
            next += part.length
        }
        return Swift.min(next, end)
    }

    /// Returns the scalar at a position.
    ///
    /// A byte that is not part of a valid scalar counts as a separator.
    private func part(at place: Int) -> TextPart {
        let head = self[place]
        if head < 0x80 {
            let isWord = (head | 0x20) &- 0x61 < 26 || head &- 0x30 < 10
            return TextPart(value: UInt32(head), length: 1, wordClass: isWord ? .word : .separator)
        }
        let length = head < 0xe0 ? 2 : head < 0xf0 ? 3 : 4
        guard head >= 0xc2, head < 0xf5, place + length <= count else { return .broken(head) }
        var value = UInt32(head) & (0x7f >> UInt32(length))
        for byte in self[place + 1..<place + length] {
            guard byte & 0xc0 == 0x80 else { return .broken(head) }
            value = value << 6 | UInt32(byte & 0x3f)
        }
        guard let scalar = Unicode.Scalar(value) else { return .broken(head) }
        return TextPart(value: value, length: length, wordClass: WordClass(scalar))
    }
}

/// One scalar of a text, with the properties that cutting into words needs.
private struct TextPart {
    let value: UInt32
    let length: Int
    let wordClass: WordClass

    static func broken(_ byte: UInt8) -> TextPart {
        TextPart(value: UInt32(byte), length: 1, wordClass: .separator)
    }

    /// Whether the scalar is a vowel or a final consonant of a Korean syllable.
    var continuesSyllable: Bool { 0x1160...0x11ff ~= value || 0xd7b0...0xd7ff ~= value }
}
