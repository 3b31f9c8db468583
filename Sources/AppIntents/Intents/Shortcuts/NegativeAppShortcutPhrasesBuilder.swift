/// Collects phrases that must run no shortcut.
@resultBuilder public struct NegativeAppShortcutPhrasesBuilder {
    /// Takes a phrase.
    public static func buildExpression(_ phrase: NegativeAppShortcutPhrase) -> [NegativeAppShortcutPhrase] {
        [phrase]
    }
    /// Takes several phrases.
    public static func buildExpression(
        _ phrases: [NegativeAppShortcutPhrase]
    ) -> [NegativeAppShortcutPhrase] { phrases }
    /// Joins phrases.
    public static func buildBlock(_ phrases: [NegativeAppShortcutPhrase]...) -> [NegativeAppShortcutPhrase] {
        phrases.flatMap { $0 }
    }
}
