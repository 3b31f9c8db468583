/// The control for a number with a fraction.
public enum DoubleControlStyle: Hashable, Sendable {
    /// Buttons for more and less.
    case stepper
    /// A field.
    case field
    /// A slider.
    case slider
}
