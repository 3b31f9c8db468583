/// Finds the places at which the phrases of a search occur in a text.
///
/// The text is cut into words in the same way as for the index. All phrases are searched for in one pass. The type is a
/// class, so that its arrays are not copied for each text.
package final class PhraseFinder: Sendable {
    /// The folded words of all phrases, one after another, and the end of each word.
    private let letters: [UInt8]
    private let ends: [Int]
    /// For each word, the number of its phrase and the place of the word in the phrase.
    private let owners: [(phrase: Int, place: Int)]
    /// Bit masks of the words: those that begin a phrase, those that end a phrase, and those that end an open phrase.
    private let (first, last, open): (UInt64, UInt64, UInt64)
    private let phraseCount: Int
    private let marksLetters: Bool
    /// Whether any phrase has several words.
    ///
    /// Such a phrase begins before the word with which it ends.
    private let hasLongPhrases: Bool

    /// One occurrence of a phrase in a text.
    package struct Place: Equatable, Sendable {
        /// The number of the phrase.
        package var phrase: Int
        /// The range of the occurrence in the text, in bytes.
        ///
        /// An open phrase may match only the beginning of a word. Then the range ends with that word. If letters are
        /// marked, it ends with the letters that match.
        package var range: Range<Int>
        /// Whether the occurrence ends at the end of a word.
        package var isWhole: Bool
    }

    /// Creates a finder for phrases that have at most 64 words in all.
    ///
    /// Further phrases are not found.
    ///
    /// Suppose that letters are marked, and that a word of the text is longer than the typed word. Then the range ends
    /// with the letters that match. These are always whole letters of the text. For example, if `ß` matches `ss`, then
    /// a single `s` marks all of `ß`.
    package init(_ phrases: [Phrase], marksLetters: Bool = false) {
        var (letters, ends, owners): ([UInt8], [Int], [(phrase: Int, place: Int)]) = ([], [], [])
        var (first, last, open): (UInt64, UInt64, UInt64) = (0, 0, 0)
        for (number, phrase) in phrases.enumerated() {
            let own = phrase.words
            guard !own.isEmpty, ends.count + own.count <= 64 else { continue }
            first |= 1 << UInt64(ends.count)
            for (place, word) in own.enumerated() {
                letters += word
                ends.append(letters.count)
                owners.append((number, place))
            }
            last |= 1 << UInt64(ends.count - 1)
            if phrase.isOpen { open |= 1 << UInt64(ends.count - 1) }
        }
        (self.letters, self.ends, self.owners) = (letters, ends, owners)
        hasLongPhrases = owners.contains { $0.place > 0 }
        (self.first, self.last, self.open) = (first, last, open)
        (phraseCount, self.marksLetters) = (phrases.count, marksLetters)
    }

    /// Passes the occurrences in a UTF-8 text to the closure, in the order of their last words, until the closure
    /// returns false.
    func visit(_ text: UnsafeBufferPointer<UInt8>, _ body: (Place) -> Bool) {
        guard !ends.isEmpty else { return }
        // Each bit is for one word of a phrase. It is set if the text up to here ends with that phrase up to that word.
        // This is the "shift-and" algorithm of Baeza-Yates and Gonnet.
        var state: UInt64 = 0
        // The starts of the last 64 words of the text.
        var (starts, count) = (hasLongPhrases ? [Int](repeating: 0, count: 64) : [], 0)
        var cutter = WordCutter()
        cutter.cut(text, for: .index) { word, range in
            if hasLongPhrases { starts[count & 63] = range.lowerBound }
            count += 1
            let (same, longer) = matches(of: word)
            let begun = state << 1 | first
            state = begun & same
            var found = begun & (same | longer) & last
            while found != 0 {
                let bit = found.trailingZeroBitCount
                found &= found - 1
                let isWhole = same & 1 << UInt64(bit) != 0
                let start =
                    hasLongPhrases ? starts[(count - 1 - owners[bit].place) & 63] : range.lowerBound
                let end =
                    isWhole ? range.upperBound : self.end(of: self.range(of: bit).count, in: text, range)
                let place = Place(phrase: owners[bit].phrase, range: start..<end, isWhole: isWhole)
                guard body(place) else { return false }
            }
            return true
        }
    }

    /// Returns bit masks of the words of phrases that match a word of the text.
    ///
    /// `same` has the words that are equal to it. `longer` has the last words of open phrases that are a proper prefix
    /// of it.
    private func matches(of word: UnsafeBufferPointer<UInt8>) -> (same: UInt64, longer: UInt64) {
        var (same, longer): (UInt64, UInt64) = (0, 0)
        for number in ends.indices {
            let (bit, sought): (UInt64, Range<Int>) = (1 << UInt64(number), range(of: number))
            guard sought.count == word.count || sought.count < word.count && open & bit != 0,
                stands(sought, before: word)
            else { continue }
            if sought.count == word.count { same |= bit } else { longer |= bit }
        }
        return (same, longer)
    }

    /// Returns the range in `letters` of a word of a phrase.
    private func range(of word: Int) -> Range<Int> { (word == 0 ? 0 : ends[word - 1])..<ends[word] }

    /// Whether a word of the text begins with a word of a phrase.
    ///
    /// The word of the text must not be the shorter one.
    private func stands(_ sought: Range<Int>, before word: UnsafeBufferPointer<UInt8>) -> Bool {
        for place in 0..<sought.count where letters[sought.lowerBound + place] != word[place] { return false }
        return true
    }

    /// Returns the end of a match that covers only the beginning of a word.
    ///
    /// If letters are marked, it is the end of the matching letters. Otherwise, it is the end of the word.
    ///
    /// In a script without spaces, words are pairs of letters, and the result is always the end of the matching
    /// letters.
    private func end(
        of letterCount: Int, in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
    ) -> Int {
        let head = String(decoding: text[range.prefix(4)], as: UTF8.self).unicodeScalars.first
        let isUnspaced = head.map { WordClass($0) == .unspaced } ?? false
        guard marksLetters || isUnspaced else { return range.upperBound }
        var (place, folded) = (range.lowerBound, [UInt8]())
        while place < range.upperBound, folded.count < letterCount {
            let end = text.endOfLetter(from: place, before: range.upperBound)
            Folding.search.fold(utf8: UnsafeBufferPointer(rebasing: text[place..<end]), into: &folded)
            place = end
        }
        return place
    }

    /// Returns the ranges of the phrases in the beginning of a text, in bytes.
    ///
    /// Overlapping ranges are merged.
    package func ranges(in text: String) -> [Range<Int>] {
        var (text, ranges) = (text, [Range<Int>]())
        text.withUTF8 { text in
            visit(UnsafeBufferPointer(rebasing: text.prefix(Snippet.scannedBytes))) { place in
                ranges.append(place.range)
                return ranges.count < Snippet.placesMost
            }
        }
        return ranges.united
    }

    /// Returns the range of each phrase's first occurrence in a text, in bytes; nil if a phrase does not occur.
    ///
    /// Overlapping ranges are merged.
    package func firstRanges(in text: String) -> [Range<Int>]? {
        var (text, found) = (text, [Range<Int>?](repeating: nil, count: phraseCount))
        text.withUTF8 { text in
            visit(text) { place in
                found[place.phrase] = found[place.phrase] ?? place.range
                return found.contains(nil)
            }
        }
        let ranges = found.compactMap(\.self)
        return ranges.count == found.count ? ranges.united : nil
    }
}

extension [Range<Int>] {
    /// The ranges in ascending order, with overlapping ranges merged.
    var united: [Range<Int>] {
        var united: [Range<Int>] = []
        for range in sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
            if let last = united.last, range.lowerBound < last.upperBound {
                united[united.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
            } else {
                united.append(range)
            }
        }
        return united
    }
}
