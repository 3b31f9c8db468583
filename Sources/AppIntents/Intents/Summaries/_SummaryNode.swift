/// A sentence without the types of its parameters.
public indirect enum _SummaryNode {
    /// Words and parameters, and the parameters below the sentence.
    case sentence([Part], below: [AnyKeyPath])
    /// A sentence if a condition holds, else another.
    case when(Condition, _SummaryNode, otherwise: _SummaryNode)
    /// The sentence of the first case with the parameter's value, else the last sentence.
    case choice(AnyKeyPath, [(values: [_IntentValueContent], node: _SummaryNode)], otherwise: _SummaryNode)
    /// No sentence.
    case empty

    /// A part of a sentence.
    public enum Part {
        /// Words.
        case words(String)
        /// The value of a parameter.
        case parameter(AnyKeyPath)
    }

    /// A condition on the value of a parameter.
    public struct Condition {
        let parameter: AnyKeyPath
        let test: @Sendable (_IntentValueContent?) -> Bool
    }
}
