/// Cuts texts into the words that searches compare.
///
/// A word is folded as `Folding.search` says, so that texts which Unicode calls equivalent have the same words. Text
/// of a script without spaces is cut into overlapping pairs of letters, each with the marks on it; what is looked
/// for is then found wherever it begins. Where a text is indexed, the last letter of such a row is a word as well,
/// so that each letter begins one.
package struct WordCutter {
    /// What the words are for.
    package enum Purpose: Sendable {
        /// To be found.
        case index
        /// To be looked for.
        case query
    }

    /// Counts the ways of cutting that there were: an index that was made in another one has to be made again.
    package static let version = 1

    /// The most bytes of a word; of a longer one, its beginning stands for it.
    package static let wordBytes = 96

    /// What is handed out, kept to be filled again.
    private var folded: [UInt8] = []

    package init() {}

    /// Hands out each folded word of a text in UTF-8, and where it stands, as long as the closure wants more.
    ///
    /// Bytes that are no UTF-8 separate words.
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
        // The letter before, which stands first in `folded`: where it begins in the text, and its folded length.
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
