extension TextPattern {
    /// Words that the full-text index has for every item with a matching value, provided that all words of the item are
    /// indexed.
    ///
    /// A word of the pattern is returned only if it is certain where the word begins and ends in each matching value.
    /// This is certain at the beginning and the end of the pattern, and beside an ASCII character that belongs to no
    /// word. If a wildcard follows a word directly, the word is open. Folding never joins or cuts words. So texts that
    /// the query considers equal have the same words in the index, except in three cases. With only the modifier `c`, a
    /// word must be ASCII, because `c` folds `ᾳ` to `αι`, while the index has `α`. With `w` no word is returned,
    /// because it may match a part of a word with capitals inside. Words in scripts without spaces are never returned.
    package var indexWords: [Phrase] {
        guard !modifiers.contains(.words) else { return [] }
        var words: [Phrase] = []
        for (number, piece) in pieces.enumerated() {
            var (place, text) = (0, piece)
            text.withUTF8 { text in
                while words.count < Self.indexWordsMost, let run = text.nextRun(from: &place) {
                    let (start, end) = (run.range.lowerBound, run.range.upperBound)
                    let begins = start == 0 ? number == 0 : text[start - 1] < 0x80
                    let isOpen = end == text.count && number < pieces.count - 1
                    let ends = isOpen || end == text.count || text[end] < 0x80
                    guard !run.isUnspaced, begins, ends, run.isASCII || modifiers.folding != .letterCase
                    else { continue }
                    words.append(Phrase(String(decoding: text[run.range], as: UTF8.self), isOpen: isOpen))
                }
            }
        }
        return words
    }

    /// The longest run of ASCII letters and digits in the pattern, in lower case; nil if there is no such run or if it
    /// is too long.
    ///
    /// For every item with a matching value, the full-text index has a word that contains these letters, because
    /// folding never joins or cuts words. The only exceptions are words that are too long for the index.
    package var indexLetters: [UInt8]? {
        var longest: ArraySlice<UInt8> = []
        for piece in pieces {
            let letters = Array(piece.utf8)
            var start = 0
            for end in 0...letters.count {
                let isLetter = end < letters.count && Self.isLetter(letters[end])
                guard !isLetter else { continue }
                if end - start > longest.count { longest = letters[start..<end] }
                start = end + 1
            }
        }
        guard !longest.isEmpty, longest.count <= WordCutter.wordBytes - 4 else { return nil }
        return longest.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10
    }

    /// The largest number of words that are returned.
    ///
    /// More words would hardly narrow a search.
    private static let indexWordsMost = 8
}
