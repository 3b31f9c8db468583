/// Looks whether a parameter has one of several values.
public enum ParameterSummaryMembershipOperator: Sendable {
    /// Holds if it has one of them.
    case oneOf
}
