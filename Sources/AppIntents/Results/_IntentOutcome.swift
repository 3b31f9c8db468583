/// The parts of a result without their types.
public struct _IntentOutcome: Sendable {
    /// The value.
    package var value: (any _IntentValue)?
    /// What is said to the person.
    package var dialog: IntentDialog?
    /// The intent to perform next.
    package var next: (any AppIntent)?

    /// Creates an outcome without parts.
    public init() {}
}
