/// A text in a query, with its wildcards and its modifiers.
package struct TextPattern: Equatable, Sendable {
    /// The texts between the wildcards, without escape characters.
    ///
    /// If there is no wildcard, the whole text is one piece.
    package let pieces: [String]
    package let modifiers: Modifiers
    private let matcher: Matcher

    package struct Modifiers: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `c`: case is ignored.
        package static let ignoringCase = Modifiers(rawValue: 1)
        /// `d`: diacritics are ignored.
        package static let ignoringDiacritics = Modifiers(rawValue: 2)
        /// `w`: the value must contain the words of the text, one after another.
        package static let words = Modifiers(rawValue: 4)
        /// `t`: the value must contain each word of the text, in any order.
        package static let tokens = Modifiers(rawValue: 8)

        /// The differences that the comparison ignores.
        package var folding: Folding {
            var folding: Folding = []
            if contains(.ignoringCase) { folding.insert(.letterCase) }
            if contains(.ignoringDiacritics) { folding.insert(.diacritics) }
            return folding
        }
    }

    private enum Matcher: Equatable, Sendable {
        /// The pattern must match the whole value.
        case whole(WildcardPattern)
        /// For each phrase, the value must contain words that match it.
        case words([PhrasePattern])
    }

    /// Creates a pattern from the texts between the wildcards.
    ///
    /// There must be at least one text.
    ///
    /// Several wildcards in a row count as one wildcard.
    init(_ pieces: [String], modifiers: Modifiers) {
        let inner = pieces.dropFirst().dropLast().filter { !$0.isEmpty }
        let pieces = pieces.count > 1 ? [pieces[0]] + inner + [pieces[pieces.count - 1]] : pieces
        (self.pieces, self.modifiers) = (pieces, modifiers)
        if modifiers.isDisjoint(with: [.words, .tokens]) {
            matcher = .whole(WildcardPattern(pieces, folding: modifiers.folding))
        } else {
            let cutter = PhraseCutter(pieces, folding: modifiers.folding)
            matcher = .words(modifiers.contains(.tokens) ? cutter.tokens : cutter.phrases)
        }
    }

    /// Whether the text has a wildcard.
    package var hasWildcard: Bool { pieces.count > 1 }

    /// The maximum number of times that a match searches a value.
    var partCount: Int {
        switch matcher {
        case .whole(let pattern): pattern.parts.count
        case .words(let phrases):
            phrases.reduce(1) { count, phrase in
                phrase.elements.reduce(count) { count, element in
                    if case .word(let pattern) = element { count + pattern.parts.count } else { count + 1 }
                }
            }
        }
    }

    /// Whether a value matches the pattern.
    package func matches(_ value: String) -> Bool {
        switch matcher {
        case .whole(let pattern):
            var folded: [UInt8] = []
            modifiers.folding.fold(value, into: &folded)
            return folded.withUnsafeBufferPointer { pattern.matches($0) }
        case .words(let phrases):
            // A text without words matches nothing. If it has a wildcard, it matches any value.
            guard !phrases.isEmpty else { return hasWildcard }
            let text = WordText(
                value, folding: modifiers.folding, splitsCase: modifiers.contains(.words))
            return phrases.allSatisfy { $0.isFound(in: text) }
        }
    }
}
