package import BatonCore

/// The FTS5 expression for the words of a search.
///
/// It has only quoted strings of letters, digits and marks; words of the index are preceded by a character that no one
/// can type (`StoredWord.mark`). So no text that a person types causes a syntax error.
struct SearchExpression {
    let text: String
    /// For each phrase of the expression, the phrase of the search that it stands for, and whether it is a whole word.
    let phrases: [(number: Int, isWhole: Bool)]

    /// Creates the expression of all terms; nil if one of the terms has no word in the index.
    init?(_ terms: [SearchTerm]) {
        var (texts, phrases): ([String], [(Int, Bool)]) = ([], [])
        for (number, term) in terms.enumerated() {
            switch term.words {
            case .phrase:
                texts.append(term.phrase.expression)
                phrases.append((number, true))
            case .anyOf(let words):
                guard !words.isEmpty else { return nil }
                texts.append(Self.any(of: words))
                phrases += words.map { (number, $0.word == term.letters) }
            }
        }
        (text, self.phrases) = (texts.joined(separator: " AND "), phrases)
    }

    /// Returns the expression for any of these words of the index, at least one of which is given.
    static func any(of words: [WordTable.Word]) -> String {
        let mark = Unicode.Scalar(StoredWord.mark)
        let texts = words.map { "\"\(mark)\(String(decoding: $0.word, as: UTF8.self))\"" }
        return "(" + texts.joined(separator: " OR ") + ")"
    }
}

extension Phrase {
    /// The FTS5 expression for the phrase.
    package var expression: String { "\"\(text)\"" + (isOpen ? " *" : "") }
}

/// A phrase of a search, with the words of the index that it finds.
struct SearchTerm {
    let phrase: Phrase
    /// The folded letters of the phrase, if it is one word.
    let letters: [UInt8]?
    let words: Words
    /// An upper bound of the number of items that have the term.
    let items: Int

    enum Words {
        /// The words of the phrase itself; if the phrase is open, the last may be only the beginning of a word.
        case phrase
        /// Any of these words.
        case anyOf([WordTable.Word])
    }

    /// The most completions that are looked up for a word that was typed in part.
    static let completionsMost = 256

    /// Looks up a phrase in the words of the index, with at most `most` completions of a word that was typed in part.
    init(
        _ phrase: Phrase, in table: WordTable, completions most: Int = completionsMost
    ) throws(StoreFailure) {
        self.phrase = phrase
        let words = phrase.words
        letters = words.count == 1 ? words[0] : nil
        guard phrase.isOpen, let letters else {
            self.words = .phrase
            // The last word of an open phrase may be a longer one.
            var items = Int.max
            for word in phrase.isOpen ? words.dropLast() : words[...] {
                items = min(items, try table.items(with: word))
            }
            self.items = items
            return
        }
        let completions = try table.completions(of: letters, most: most).words
        self.words = .anyOf(completions)
        items = completions.reduce(0) { $0 + $1.items }
    }

    /// Creates the term for exactly this word of the index.
    init(_ word: WordTable.Word) {
        phrase = Phrase(String(decoding: word.word, as: UTF8.self), isOpen: false)
        (letters, words, items) = (word.word, .anyOf([word]), word.items)
    }

    /// Returns the same phrase without completions of its last word.
    func closed(in table: WordTable) throws(StoreFailure) -> SearchTerm {
        try SearchTerm(Phrase(phrase.text, isOpen: false), in: table)
    }
}
