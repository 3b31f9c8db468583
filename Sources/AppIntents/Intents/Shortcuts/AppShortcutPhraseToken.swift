/// A place in a phrase that is no parameter.
public enum AppShortcutPhraseToken: Sendable {
    /// The name of the app.
    case applicationName
}
