package import BatonCore

/// The FTS5 expression that finds the words of a search.
///
/// The expression has only quoted strings of letters, digits and marks, so no text that a person types causes a syntax
/// error. Words of the index begin with a character that nobody can type (`StoredWord.mark`).
struct SearchExpression {
    let text: String
    /// The number of the search's phrase for each phrase of the expression.
    ///
    /// `isWhole` is false if the person typed only the beginning of the word.
    let phrases: [(number: Int, isWhole: Bool)]

    /// Creates the expression that finds items with all terms; nil if the index has no word for one of the terms.
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

    /// Returns the expression that finds any of these words of the index.
    ///
    /// `words` must not be empty.
    static func any(of words: [WordTable.Word]) -> String {
        let mark = Unicode.Scalar(StoredWord.mark)
        let texts = words.map { "\"\(mark)\(String(decoding: $0.word, as: UTF8.self))\"" }
        return "(" + texts.joined(separator: " OR ") + ")"
    }
}

extension Phrase {
    /// The FTS5 expression that finds the phrase.
    package var expression: String { "\"\(text)\"" + (isOpen ? " *" : "") }
}

/// A phrase of a search, and the words of the index that match the phrase.
struct SearchTerm {
    let phrase: Phrase
    /// The folded letters of the phrase; nil if the phrase has several words.
    let letters: [UInt8]?
    let words: Words
    /// An upper bound of the number of items that have the term.
    let items: Int

    enum Words {
        /// The words of the phrase itself.
        ///
        /// If the phrase is open, its last word may be only the beginning of a word.
        case phrase
        /// Any of these words of the index.
        case anyOf([WordTable.Word])
    }

    /// The largest number of completions that are looked up for an incomplete word.
    static let completionsMost = 256

    /// Looks up a phrase in the words of the index.
    ///
    /// For an incomplete word, at most `most` completions are looked up.
    init(
        _ phrase: Phrase, in table: WordTable, completions most: Int = completionsMost
    ) throws(StoreFailure) {
        self.phrase = phrase
        let words = phrase.words
        letters = words.count == 1 ? words[0] : nil
        guard phrase.isOpen, let letters else {
            self.words = .phrase
            // The last word of an open phrase may be incomplete, so its count says nothing.
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

    /// Creates the term that finds exactly this word of the index.
    init(_ word: WordTable.Word) {
        phrase = Phrase(String(decoding: word.word, as: UTF8.self), isOpen: false)
        (letters, words, items) = (word.word, .anyOf([word]), word.items)
    }

    /// Returns the term for the same phrase, with its last word taken as a complete word.
    func closed(in table: WordTable) throws(StoreFailure) -> SearchTerm {
        try SearchTerm(Phrase(phrase.text, isOpen: false), in: table)
    }
}
