/// Compares the order of a parameter and a value.
public enum ParameterSummaryOrderOperator: Sendable {
    /// Holds if the parameter is less.
    case lessThan
    /// Holds if the parameter is less or the same.
    case lessThanOrEqualTo
    /// Holds if the parameter is greater.
    case greaterThan
    /// Holds if the parameter is greater or the same.
    case greaterThanOrEqualTo
}
