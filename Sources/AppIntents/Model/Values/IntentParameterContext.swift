/// The parameter for which a value is resolved.
public struct IntentParameterContext<Value: _IntentValue>: Sendable {
    /// The text that the person gave, if it is known.
    public let originalText: String?

    package init(originalText: String?) { self.originalText = originalText }
}
