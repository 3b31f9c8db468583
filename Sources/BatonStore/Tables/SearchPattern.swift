import BatonCore

/// The FTS5 expression for a text that a person typed.
///
/// It has only quoted strings, and these have only letters, digits and marks. So no text that a person types is a
/// syntax error.
struct SearchPattern {
    let expression: String

    /// Creates the pattern of a text; nil if the text has no words.
    init?(_ text: String) {
        let phrases = Phrase.all(of: text)
        guard !phrases.isEmpty else { return nil }
        expression = phrases.map { "\"\($0.text)\"" + ($0.isOpen ? " *" : "") }.joined(separator: " AND ")
    }
}
