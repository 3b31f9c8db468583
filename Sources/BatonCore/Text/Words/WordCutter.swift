/// Cuts texts into the words that searches compare.
///
/// A word is folded by `Folding.search`, so that texts that Unicode calls equivalent have the same words. Text of a
/// script without spaces is cut into overlapping pairs of letters, each with its marks, so that a search finds it
/// wherever it begins. For an index, the last letter of such text is a word as well, so that each letter begins a word.
package struct WordCutter {
    /// The purpose of the words.
    package enum Purpose: Sendable {
        /// Words to be indexed.
        case index
        /// Words to be searched for.
        case query
    }

    /// The version of the cutting rules: an index that was built with another version has to be rebuilt.
    package static let version = 1

    /// The most bytes of a word; only the beginning of a longer word is kept.
    package static let wordBytes = 96

    /// The word that is passed to the closure; kept to reuse its memory.
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
        // The previous letter, which is at the front of `folded`: its start in the text, and its folded length.
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
