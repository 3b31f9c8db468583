/// Finds the places where the phrases of a search stand in a text.
///
/// The text is cut into words as for the index, and all phrases are looked for in one pass. A finder is a class
/// instance, so that its arrays are not copied for each text.
package final class PhraseFinder: Sendable {
    /// The folded words of all phrases, one after the other, and where each ends.
    private let letters: [UInt8]
    private let ends: [Int]
    /// The phrase of each word, and the place of the word in it.
    private let owners: [(phrase: Int, place: Int)]
    /// Bit masks of the words that begin a phrase, that end a phrase, and that end an open phrase.
    private let (first, last, open): (UInt64, UInt64, UInt64)
    private let phraseCount: Int
    private let marksLetters: Bool
    /// Whether a phrase has several words, and so begins before the word with which it ends.
    private let hasLongPhrases: Bool

    /// One place where a phrase stands.
    package struct Place: Equatable, Sendable {
        /// The number of the phrase.
        package var phrase: Int
        /// The bytes of the phrase in the text.
        ///
        /// They end with the word that the phrase's last word equals or begins, or if letters are marked, with the
        /// letters that match.
        package var range: Range<Int>
        /// Whether the phrase ends where a word ends.
        package var isWhole: Bool
    }

    /// Prepares to find phrases that together have at most 64 words; further phrases are not found.
    ///
    /// If letters are marked and a word is longer than what was typed, its place ends with the letters that match.
    /// These are whole letters of the text: if `ß` stands for `ss`, then one `s` takes all of it.
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

    /// Passes the places in a UTF-8 text to the closure, in the order of their last words, until the closure returns
    /// false.
    func visit(_ text: UnsafeBufferPointer<UInt8>, _ body: (Place) -> Bool) {
        guard !ends.isEmpty else { return }
        // Each bit stands for a sought word, and says that the text up to here ends with its phrase up to this word;
        // see the "shift-and" algorithm of Baeza-Yates and Gonnet.
        var state: UInt64 = 0
        // The starts of the last 64 words.
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

    /// Returns as bits the sought words that equal a word of the text, and the last words of open phrases with which it
    /// begins.
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

    /// Returns the range of a sought word in `letters`.
    private func range(of word: Int) -> Range<Int> { (word == 0 ? 0 : ends[word - 1])..<ends[word] }

    /// Whether a word begins with the sought letters; it must not be shorter than these.
    private func stands(_ sought: Range<Int>, before word: UnsafeBufferPointer<UInt8>) -> Bool {
        for place in 0..<sought.count where letters[sought.lowerBound + place] != word[place] { return false }
        return true
    }

    /// Returns the end of a match that is only the beginning of a word: after the matching letters, or after the word.
    ///
    /// In a script without spaces, where words are pairs of letters, it is always after the letters.
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

    /// Returns the ranges of the phrases in the beginning of a text, in bytes; overlapping ranges are united.
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

    /// Returns the range of the first place of each phrase in a text, in bytes, with overlapping ranges united; nil if
    /// a phrase is missing.
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
    /// The ranges in order, with those that overlap united.
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
