/// The parts of a date that a parameter needs.
public enum DateKind: Hashable, Sendable {
    /// The day.
    case date
    /// The time of day.
    case time
    /// Both.
    case dateTime
}
