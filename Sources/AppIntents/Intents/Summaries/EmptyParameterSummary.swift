/// A summary without words.
public struct EmptyParameterSummary<Intent>: ParameterSummary {
    /// Creates a summary.
    public init() {}
    /// No sentence.
    public var _node: _SummaryNode { .empty }
}
