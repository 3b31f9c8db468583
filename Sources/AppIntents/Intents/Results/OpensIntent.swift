/// A result with an intent that is performed next.
public protocol OpensIntent: IntentResult {}
