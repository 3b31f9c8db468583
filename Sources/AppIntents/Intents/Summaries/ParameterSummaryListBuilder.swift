/// Collects the parameters below a sentence.
@resultBuilder public struct ParameterSummaryListBuilder<Intent: AppIntent> {
    /// Takes a parameter.
    public static func buildExpression<Value>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>
    ) -> PartialKeyPath<Intent> { parameter }
    /// Joins parameters.
    public static func buildBlock(_ parameters: PartialKeyPath<Intent>...) -> [PartialKeyPath<Intent>] {
        parameters
    }
}
