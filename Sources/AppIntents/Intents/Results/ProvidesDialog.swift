/// A result with a dialog.
public protocol ProvidesDialog: IntentResult {}
