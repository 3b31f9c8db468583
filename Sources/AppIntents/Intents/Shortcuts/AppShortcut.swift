public import LocalizedStrings

/// An intent that people run by a phrase.
public struct AppShortcut: Sendable {
    /// The intent.
    package let intent: any AppIntent
    /// The phrases.
    package let phrases: [ShortcutPhrase]
    /// A short name.
    package let shortTitle: LocalizedStringResource?

    /// Creates a shortcut.
    public init<Intent: AppIntent>(
        intent: Intent, phrases: [AppShortcutPhrase<Intent>], shortTitle: LocalizedStringResource,
        systemImageName: String
    ) { self.init(intent, phrases, shortTitle) }

    /// Creates a shortcut with a tile for each value of a parameter, which Linux does not show.
    public init<Intent: AppIntent, Value: _IntentValue>(
        intent: Intent, phrases: [AppShortcutPhrase<Intent>], shortTitle: LocalizedStringResource,
        systemImageName: String, parameterPresentation: AppShortcutParameterPresentation<Intent, Value>
    ) { self.init(intent, phrases, shortTitle) }

    /// Creates a shortcut without a name of its own.
    public init<Intent: AppIntent>(intent: Intent, phrases: [AppShortcutPhrase<Intent>]) {
        self.init(intent, phrases, nil)
    }

    private init<Intent: AppIntent>(
        _ intent: Intent, _ phrases: [AppShortcutPhrase<Intent>], _ title: LocalizedStringResource?
    ) {
        (self.intent, shortTitle) = (intent, title)
        self.phrases = phrases.map { $0.phrase(of: intent) }
    }
}
