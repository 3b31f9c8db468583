/// The parts of a result without their types.
public struct _IntentOutcome: Sendable {
    /// The value.
    package var value: (any _IntentValue)?
    /// The dialog to show to the person.
    package var dialog: IntentDialog?
    /// The intent to perform next.
    package var next: (any AppIntent)?

    /// Creates an outcome without parts.
    public init() {}
}
