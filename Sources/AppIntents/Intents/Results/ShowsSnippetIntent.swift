/// A result with an intent that shows something; on Linux only the dialog is shown.
public protocol ShowsSnippetIntent: IntentResult {}
