/// Lists the shortcuts of an app.
public protocol AppShortcutsProvider {
    /// The shortcuts.
    @AppShortcutsBuilder static var appShortcuts: [AppShortcut] { get }
    /// The colour of the shortcuts; Linux shows none.
    static var shortcutTileColor: ShortcutTileColor { get }
    /// Phrases that must run no shortcut.
    @NegativeAppShortcutPhrasesBuilder static var negativePhrases: [NegativeAppShortcutPhrase] { get }
}

extension AppShortcutsProvider {
    /// Grey.
    public static var shortcutTileColor: ShortcutTileColor { .grayBlue }
    /// No phrases.
    public static var negativePhrases: [NegativeAppShortcutPhrase] { [] }

    /// Tells the system that the values in phrases changed.
    ///
    /// On Linux the app is asked for them when a phrase is run, so nothing has to be told.
    public static func updateAppShortcutParameters() {}
}

/// Collects shortcuts.
@resultBuilder public struct AppShortcutsBuilder {
    /// Takes a shortcut.
    public static func buildExpression(_ shortcut: AppShortcut) -> [AppShortcut] { [shortcut] }
    /// Takes several shortcuts.
    public static func buildExpression(_ shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    /// Joins shortcuts.
    public static func buildBlock(_ shortcuts: [AppShortcut]...) -> [AppShortcut] { shortcuts.flatMap { $0 } }
    /// Takes the shortcuts of an `if` without `else`.
    public static func buildOptional(_ shortcuts: [AppShortcut]?) -> [AppShortcut] { shortcuts ?? [] }
    /// Takes the shortcuts of the first branch.
    public static func buildEither(first shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    /// Takes the shortcuts of the second branch.
    public static func buildEither(second shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    /// Takes shortcuts of newer systems.
    public static func buildLimitedAvailability(_ shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
}

/// A phrase that must run no shortcut.
public struct NegativeAppShortcutPhrase: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The phrase.
    package let phrase: String

    /// Creates a phrase.
    public init(_ phrase: String) { self.phrase = phrase }
    /// Creates a phrase.
    public init(stringLiteral value: String) { self.init(value) }
}

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

/// The colour of an app's shortcuts; Linux shows none.
public enum ShortcutTileColor: Hashable, Sendable {
    /// A colour.
    case blue, grape, grayBlue, grayBrown, grayGreen, lightBlue, lime, navy, orange, pink, purple, red,
        tangerine, teal, yellow
}
