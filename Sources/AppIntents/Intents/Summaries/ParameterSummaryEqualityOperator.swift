/// Compares a parameter with a value for equality.
public enum ParameterSummaryEqualityOperator: Sendable {
    /// Holds if they are the same.
    case equalTo
    /// Holds if they differ.
    case notEqualTo
}
