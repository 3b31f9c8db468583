extension Phrase {
    /// Returns where phrases stand in a text: ranges of bytes of UTF-8, in order and without overlaps; nil if a phrase is
    /// missing.
    ///
    /// If a word is longer than what was typed, its range has the letters that were typed. It ends with a whole
    /// letter of the text: if `ß` stands for `ss`, then one `s` takes all of it.
    package static func ranges(of phrases: [Phrase], in text: String) -> [Range<Int>]? {
        var words: [(folded: [UInt8], range: Range<Int>)] = []
        var (text, cutter) = (text, WordCutter())
        text.withUTF8 { text in
            cutter.cut(text, for: .index) { word, range in
                words.append((Array(word), range))
                return true
            }
        }
        var ranges: [Range<Int>] = []
        for phrase in phrases {
            let sought = phrase.words
            guard let last = sought.last, sought.count <= words.count else { return nil }
            let place = (0...words.count - sought.count).first { start in
                sought.indices.allSatisfy { number in
                    let word = words[start + number].folded
                    let mayBeLonger = phrase.isOpen && number == sought.count - 1
                    return mayBeLonger ? word.starts(with: sought[number]) : word == sought[number]
                }
            }
            guard let place else { return nil }
            let (word, range) = words[place + sought.count - 1]
            let end = word == last ? range.upperBound : end(of: last, in: text, range)
            ranges.append(words[place].range.lowerBound..<end)
        }
        return merged(ranges)
    }

    /// Returns the end of the first letters of a word whose folded form begins with these letters.
    private static func end(of typed: [UInt8], in text: String, _ range: Range<Int>) -> Int {
        let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
        let word = text[start..<text.utf8.index(start, offsetBy: range.count)]
        var folded: [UInt8] = []
        for end in word.indices.dropFirst() {
            folded.removeAll(keepingCapacity: true)
            Folding.search.fold(word[..<end], into: &folded)
            if folded.starts(with: typed) { return text.utf8.distance(from: text.startIndex, to: end) }
        }
        return range.upperBound
    }

    /// Returns the ranges in order, those that overlap as one.
    private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var merged: [Range<Int>] = []
        for range in ranges.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
            if let last = merged.last, range.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}
