/// The parameters of an intent in a sentence.
public protocol ParameterSummary {
    /// The sentence, with what it depends on.
    var _node: _SummaryNode { get }
}
