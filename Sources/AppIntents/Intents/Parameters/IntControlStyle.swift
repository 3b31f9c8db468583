/// The control for a whole number.
public enum IntControlStyle: Hashable, Sendable {
    /// Buttons for more and less.
    case stepper
    /// A field.
    case field
}
