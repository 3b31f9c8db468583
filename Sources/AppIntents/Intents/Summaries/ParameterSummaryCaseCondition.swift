/// The summary for some values of a parameter.
public struct ParameterSummaryCaseCondition<Intent: AppIntent, Value: _IntentValue> {
    let part: _SummaryCase

    /// Creates the summary for a value.
    public init<Content: ParameterSummary>(
        _ value: Value, @ParameterSummaryBuilder<Intent> _ content: () -> Content
    ) { part = _SummaryCase(values: [value._content], node: content()._node) }

    /// Creates the summary for several values.
    public init<Content: ParameterSummary>(
        _ values: [Value], @ParameterSummaryBuilder<Intent> _ content: () -> Content
    ) { part = _SummaryCase(values: values.map(\._content), node: content()._node) }
}
