/// Lists the shortcuts of an app.
@_alwaysEmitConformanceMetadata
public protocol AppShortcutsProvider: SendableMetatype {
    /// The shortcuts.
    @AppShortcutsBuilder static var appShortcuts: [AppShortcut] { get }
    /// The colour of the shortcuts; Linux shows none.
    static var shortcutTileColor: ShortcutTileColor { get }
    /// Phrases that must run no shortcut.
    @NegativeAppShortcutPhrasesBuilder static var negativePhrases: [NegativeAppShortcutPhrase] { get }
}

extension AppShortcutsProvider {
    /// The tiles of a shortcut.
    public typealias ParameterPresentation = AppShortcutParameterPresentation
    /// The text of a tile.
    public typealias Summary = AppShortcutParameterPresentationSummary
    /// A group of tiles.
    public typealias OptionsCollection = AppShortcutOptionsCollection

    /// Greyish blue.
    public static var shortcutTileColor: ShortcutTileColor { .grayBlue }
    /// No phrases.
    public static var negativePhrases: [NegativeAppShortcutPhrase] { [] }

    /// Tells the system that the values in phrases changed.
    ///
    /// On Linux the app is asked for them when a phrase is run. The call only has the app's intent manifest written if
    /// it is missing or older than the program.
    public static func updateAppShortcutParameters() { LibraryUse.note(.call) }
}
