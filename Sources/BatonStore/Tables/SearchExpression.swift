package import BatonCore

/// The FTS5 expression for the words of a search.
///
/// It has only quoted strings, and these have only letters, digits, marks, and before words of the index a character that
/// no one can type. So no text that a person types is a syntax error.
struct SearchExpression {
    let text: String
    /// Tells of each phrase of the expression which phrase of the search it stands for, and whether it is a whole word.
    let phrases: [(number: Int, isWhole: Bool)]

    /// Creates the expression of all terms; nil if no item has a word that would complete one of them.
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

    /// Returns the expression for any of some words of the index, of which there is at least one.
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
    /// The most items that can have the term.
    let items: Int

    enum Words {
        /// The words of the phrase itself, of which the last may be longer if it is open.
        case phrase
        /// Any of these words.
        case anyOf([WordTable.Word])
    }

    /// The most words that complete those of a search that were typed in part.
    static let completionsMost = 256

    /// Looks up a phrase in the words of the index; at most `most` of them complete one that was typed in part.
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

    /// Takes a word of the index as it is there.
    init(_ word: WordTable.Word) {
        phrase = Phrase(String(decoding: word.word, as: UTF8.self), isOpen: false)
        (letters, words, items) = (word.word, .anyOf([word]), word.items)
    }

    /// The same phrase without what would complete it.
    func closed(in table: WordTable) throws(StoreFailure) -> SearchTerm {
        try SearchTerm(Phrase(phrase.text, isOpen: false), in: table)
    }
}
