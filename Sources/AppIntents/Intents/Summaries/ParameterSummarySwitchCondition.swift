/// A summary for each of several values of a parameter.
public struct ParameterSummarySwitchCondition<Intent: AppIntent>: ParameterSummary {
    /// The summaries.
    public let _node: _SummaryNode

    /// Creates a summary that depends on the value of a parameter.
    public init<Value: _IntentValue>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        @ParameterSummaryCaseBuilder<Intent, Value.UnwrappedType> _ cases: () -> [_SummaryCase]
    ) {
        let all = cases()
        _node = .choice(
            parameter, all.compactMap { one in one.values.map { (values: $0, node: one.node) } },
            otherwise: all.first { $0.values == nil }?.node ?? .empty)
    }
}
