/// The result of an intent: a value, a dialog, another intent to perform, or none of these.
public protocol IntentResult: Sendable {
    /// The type of the value.
    associatedtype Value = Never

    /// The value; nil if there is none.
    var value: Value? { get }
    /// The parts of the result without their types.
    var _outcome: _IntentOutcome { get }
}

extension IntentResult {
    /// A result without parts.
    public var _outcome: _IntentOutcome { _IntentOutcome() }
}

extension IntentResult where Value == Never {
    /// Nil: there is no value.
    public var value: Never? { nil }
}
