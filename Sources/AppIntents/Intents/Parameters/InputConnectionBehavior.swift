/// Where the value of a parameter comes from when intents are joined.
public enum InputConnectionBehavior: Hashable, Sendable {
    /// As the system decides.
    case `default`
    /// Never from another intent.
    case never
    /// From the result of the intent before.
    case connectToPreviousIntentResult
}
