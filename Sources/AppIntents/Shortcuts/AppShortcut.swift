public import LocalizedStrings

/// An intent that people run by a phrase.
public struct AppShortcut: Sendable {
    /// The intent.
    package let intent: any AppIntent
    /// The phrases.
    package let phrases: [ShortcutPhrase]
    /// A short name.
    package let shortTitle: LocalizedStringResource?
    /// The name of a symbol.
    package let systemImageName: String?

    /// Creates a shortcut.
    public init<Intent: AppIntent>(
        intent: Intent, phrases: [AppShortcutPhrase<Intent>], shortTitle: LocalizedStringResource,
        systemImageName: String
    ) { self.init(intent, phrases, shortTitle, systemImageName) }

    /// Creates a shortcut without a name of its own.
    public init<Intent: AppIntent>(intent: Intent, phrases: [AppShortcutPhrase<Intent>]) {
        self.init(intent, phrases, nil, nil)
    }

    private init<Intent: AppIntent>(
        _ intent: Intent, _ phrases: [AppShortcutPhrase<Intent>], _ title: LocalizedStringResource?,
        _ image: String?
    ) {
        (self.intent, shortTitle, systemImageName) = (intent, title, image)
        self.phrases = phrases.map { $0.phrase(of: intent) }
    }
}
