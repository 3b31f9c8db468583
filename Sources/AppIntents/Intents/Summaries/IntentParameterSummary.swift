/// A sentence with parameters.
public struct IntentParameterSummary<Intent: AppIntent>: ParameterSummary {
    /// The sentence.
    public let _node: _SummaryNode

    /// Creates an empty sentence.
    public init() { _node = .empty }

    /// Creates a sentence.
    public init(_ summary: ParameterSummaryString<Intent>, table: String? = nil) {
        _node = .sentence(summary.parts, below: [])
    }

    /// Creates a sentence with parameters below it.
    public init(
        _ summary: ParameterSummaryString<Intent>, table: String? = nil,
        @ParameterSummaryListBuilder<Intent> _ parameters: () -> [PartialKeyPath<Intent>]
    ) { _node = .sentence(summary.parts, below: parameters()) }

    /// Creates a list of parameters without a sentence.
    public init(@ParameterSummaryListBuilder<Intent> _ parameters: () -> [PartialKeyPath<Intent>]) {
        _node = .sentence([], below: parameters())
    }
}
