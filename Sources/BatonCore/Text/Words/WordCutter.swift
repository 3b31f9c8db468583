/// Cuts texts into the words that searches compare.
///
/// Each word is folded by `Folding.search`, so texts that are equivalent in Unicode have the same words. Text in a
/// script without spaces is cut into overlapping pairs of letters, each letter with its marks. So a search finds such
/// text wherever the search begins. For an index, the last letter alone is a word, too, so that a word begins with each
/// letter.
package struct WordCutter {
    /// The purpose for which a text is cut.
    package enum Purpose: Sendable {
        /// Words to be indexed.
        case index
        /// Words to be searched for.
        case query
    }

    /// The version of the cutting rules.
    ///
    /// An index that was built with another version must be rebuilt.
    package static let version = 1

    /// The maximum length of a word in bytes.
    ///
    /// If a word is longer, only its beginning is kept.
    package static let wordBytes = 96

    /// The buffer for the word that is passed to the closure.
    ///
    /// It is kept so that its memory can be reused.
    private var folded: [UInt8] = []

    package init() {}

    /// Passes each folded word of a UTF-8 text and its range to the closure, until the closure returns false.
    ///
    /// Bytes that are not valid UTF-8 separate words.
    package mutating func cut(
        _ text: UnsafeBufferPointer<UInt8>, for purpose: Purpose,
        _ take: (UnsafeBufferPointer<UInt8>, Range<Int>) -> Bool
    ) {
        var place = 0
        while let run = text.nextRun(from: &place) {
            let wantsMore = run.isUnspaced ? cutPairs(run, text, purpose, take) : cutWord(run, text, take)
            guard wantsMore else { return }
        }
    }

    private mutating func cutWord(
        _ run: WordRun, _ text: UnsafeBufferPointer<UInt8>,
        _ take: (UnsafeBufferPointer<UInt8>, Range<Int>) -> Bool
    ) -> Bool {
        folded.removeAll(keepingCapacity: true)
        let letters = UnsafeBufferPointer(rebasing: text[run.range])
        if run.isASCII {
            for byte in letters.prefix(Self.wordBytes) {
                folded.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
            }
        } else {
            Folding.search.fold(utf8: letters, into: &folded)
            var end = folded.count
            if end > Self.wordBytes {
                end = Self.wordBytes
                while end > 0, folded[end] & 0xc0 == 0x80 { end -= 1 }
                folded.removeSubrange(end...)
            }
        }
        return folded.isEmpty || folded.withUnsafeBufferPointer { take($0, run.range) }
    }

    private mutating func cutPairs(
        _ run: WordRun, _ text: UnsafeBufferPointer<UInt8>, _ purpose: Purpose,
        _ take: (UnsafeBufferPointer<UInt8>, Range<Int>) -> Bool
    ) -> Bool {
        folded.removeAll(keepingCapacity: true)
        // The previous letter is at the front of `folded`. These are its start in the text, its folded length, and the
        // number of letters so far.
        var (start, length, letters) = (run.range.lowerBound, 0, 0)
        var place = start
        while place < run.range.upperBound {
            let end = text.endOfLetter(from: place, before: run.range.upperBound)
            Folding.search.fold(utf8: UnsafeBufferPointer(rebasing: text[place..<end]), into: &folded)
            if folded.count > length {
                letters += 1
                if letters > 1 {
                    guard folded.withUnsafeBufferPointer({ take($0, start..<end) }) else { return false }
                    folded.removeSubrange(..<length)
                    start = place
                }
                length = folded.count
            }
            place = end
        }
        guard letters == 1 || (letters > 1 && purpose == .index) else { return true }
        return folded.withUnsafeBufferPointer { take($0, start..<run.range.upperBound) }
    }
}
