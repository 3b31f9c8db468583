/// A result with something to show; on Linux its dialog is shown.
public protocol ShowsSnippetView: IntentResult {}
