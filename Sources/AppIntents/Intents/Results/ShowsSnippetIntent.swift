/// A result with an intent that shows something; on Linux its dialog is shown.
public protocol ShowsSnippetIntent: IntentResult {}
