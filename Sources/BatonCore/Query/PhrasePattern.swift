/// A pattern of words that follow one another in a text.
///
/// Any separators may be between the words.
struct PhrasePattern: Equatable, Sendable {
    private(set) var elements: [Element] = []

    enum Element: Equatable, Sendable {
        /// A word.
        ///
        /// A wildcard in the word stands for letters of the same word.
        case word(WildcardPattern)
        /// A wildcard between words, which stands for any number of words.
        case gap
    }

    init(_ elements: [Element]) { self.elements = elements }

    /// Whether the words occur somewhere in a text, in the order of the pattern.
    ///
    /// The running time is proportional to the number of words times the length of the text. For each element, the
    /// whole text is searched once. The search keeps the set of all places at which a match of the earlier elements can
    /// end.
    func isFound(in text: WordText) -> Bool {
        var places = text.edges
        return text.bytes.withUnsafeBufferPointer { bytes in
            for element in elements {
                switch element {
                case .word(let pattern): places = pattern.ends(of: places, in: text, bytes)
                case .gap:
                    guard let first = places.firstIndex(of: true) else { return false }
                    places[first...] = text.edges[first...]
                }
            }
            return places.contains(true)
        }
    }
}

extension WildcardPattern {
    /// Returns the places at which a match can end if it begins at one of `starts` and stays within one word.
    fileprivate func ends(
        of starts: [Bool], in text: WordText, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> [Bool] {
        var ends = [Bool](repeating: false, count: starts.count)
        let last = parts[parts.count - 1]
        for word in text.words {
            var range = word
            if hasWildcard {
                // Only the first possible start is tried. Every end that a later start can reach can also be reached
                // from the first one.
                var end: Int?
                parts[0].visitOccurrences(in: bytes, word) { place in
                    if starts[place], place < word.upperBound,
                        isLetter(at: place + parts[0].bytes.count, bytes)
                    {
                        end = endOfAllButLast(in: bytes, word, from: place)
                        return false
                    }
                    return true
                }
                guard let end else { continue }
                range = end..<word.upperBound
            }
            last.visitOccurrences(in: bytes, range) { place in
                let end = place + last.bytes.count
                if hasWildcard ? isLetter(at: place, bytes) : starts[place], text.edges[end] {
                    ends[end] = true
                }
                return true
            }
        }
        return ends
    }
}
