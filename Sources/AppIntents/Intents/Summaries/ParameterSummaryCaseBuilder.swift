/// Collects the cases of a summary.
@resultBuilder public struct ParameterSummaryCaseBuilder<Intent: AppIntent, Value: _IntentValue> {
    /// Takes a case.
    public static func buildExpression(_ one: ParameterSummaryCaseCondition<Intent, Value>) -> _SummaryCase {
        one.part
    }
    /// Takes the case of all other values.
    public static func buildExpression(
        _ one: ParameterSummaryDefaultCaseCondition<Intent, Value>
    ) -> _SummaryCase { one.part }
    /// Joins cases.
    public static func buildBlock(_ cases: _SummaryCase...) -> [_SummaryCase] { cases }
}
