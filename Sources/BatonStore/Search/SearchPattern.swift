import BatonCore

/// What a person looks for, as FTS5 takes it.
///
/// It is made of quoted strings only, in which no quote stands, because nothing but letters, digits and marks does.
/// So no text that a person types is an error.
struct SearchPattern {
    let expression: String

    /// The pattern of a text; nothing if there is no word in it.
    init?(_ text: String) {
        let phrases = Phrase.all(of: text)
        guard !phrases.isEmpty else { return nil }
        expression = phrases.map { "\"\($0.text)\"" + ($0.isOpen ? " *" : "") }.joined(separator: " AND ")
    }
}
