/// Compares the text of a parameter with a text.
public enum ParameterSummaryTextOperator: Sendable {
    /// Holds if the parameter contains the text.
    case contains
    /// Holds if the parameter does not contain the text.
    case doesNotContain
    /// Holds if the parameter begins with the text.
    case hasPrefix
    /// Holds if the parameter ends with the text.
    case hasSuffix
}
