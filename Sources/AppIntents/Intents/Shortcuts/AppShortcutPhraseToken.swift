/// A placeholder for something other than a parameter.
public enum AppShortcutPhraseToken: Sendable {
    /// The name of the app.
    case applicationName
}
