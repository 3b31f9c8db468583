/// Takes the summary of an intent.
@resultBuilder public struct ParameterSummaryBuilder<Intent> {
    /// Takes a summary.
    public static func buildExpression<Content: ParameterSummary>(_ content: Content) -> Content { content }
    /// Takes the only summary.
    public static func buildBlock<Content: ParameterSummary>(_ content: Content) -> Content { content }
    /// Takes no summary.
    public static func buildBlock() -> EmptyParameterSummary<Intent> { EmptyParameterSummary() }
}
