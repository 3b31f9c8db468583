/// A result with something to show; on Linux only the dialog is shown.
public protocol ShowsSnippetView: IntentResult {}
