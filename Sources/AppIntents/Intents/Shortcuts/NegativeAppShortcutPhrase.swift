/// A phrase that must run no shortcut.
public struct NegativeAppShortcutPhrase: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The phrase.
    package let phrase: String

    /// Creates a phrase.
    public init(_ phrase: String) { self.phrase = phrase }
    /// Creates a phrase.
    public init(stringLiteral value: String) { self.init(value) }
}
