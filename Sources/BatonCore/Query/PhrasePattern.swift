/// A pattern of words that follow one another in a text, whatever separates them.
struct PhrasePattern: Equatable, Sendable {
    private(set) var elements: [Element] = []

    enum Element: Equatable, Sendable {
        /// A word; a wildcard in it stands for letters of the same word.
        case word(WildcardPattern)
        /// A wildcard between words: any number of words.
        case gap
    }

    init(_ elements: [Element]) { self.elements = elements }

    /// Whether the words stand somewhere in a text.
    ///
    /// The work grows with the number of words times the length of the text: the whole text is looked through once for
    /// each element, with the set of places that the elements before it can lead to.
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
    /// Returns the places where a match that begins at one of `starts` can end, all within one word.
    fileprivate func ends(
        of starts: [Bool], in text: WordText, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> [Bool] {
        var ends = [Bool](repeating: false, count: starts.count)
        let last = parts[parts.count - 1]
        for word in text.words {
            var range = word
            if hasWildcard {
                // The first start is enough: it leads to every end to which a later start leads.
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
