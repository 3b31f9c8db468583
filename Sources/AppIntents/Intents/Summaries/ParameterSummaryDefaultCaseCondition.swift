/// The summary for all values that have no case.
public struct ParameterSummaryDefaultCaseCondition<Intent: AppIntent, Value: _IntentValue> {
    let part: _SummaryCase

    /// Creates the summary.
    public init<Content: ParameterSummary>(@ParameterSummaryBuilder<Intent> _ content: () -> Content) {
        part = _SummaryCase(values: nil, node: content()._node)
    }
}
