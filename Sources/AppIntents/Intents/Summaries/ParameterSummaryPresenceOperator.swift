/// Looks whether a parameter has a value.
public enum ParameterSummaryPresenceOperator: Sendable {
    /// Holds if there is a value.
    case hasAnyValue
    /// Holds if there is none.
    case hasNoValue
}
