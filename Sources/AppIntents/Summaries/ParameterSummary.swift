/// The parameters of an intent in a sentence.
public protocol ParameterSummary {
    /// The sentence, with what it depends on.
    var _node: _SummaryNode { get }
}

/// A sentence without the types of its parameters.
public indirect enum _SummaryNode {
    /// Words and parameters, and the parameters below the sentence.
    case sentence([Part], below: [AnyKeyPath])
    /// A sentence if a condition holds, else another.
    case when(Condition, _SummaryNode, otherwise: _SummaryNode)
    /// The sentence of the first case with the value of a parameter, else the last.
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

/// A summary without words.
public struct EmptyParameterSummary<Intent>: ParameterSummary {
    /// Creates a summary.
    public init() {}
    /// No sentence.
    public var _node: _SummaryNode { .empty }
}

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

/// The text of a sentence with parameters, such as `"Add \(\.$text) to \(\.$list)"`.
public struct ParameterSummaryString<Intent: AppIntent>: ExpressibleByStringInterpolation {
    let parts: [_SummaryNode.Part]

    /// Creates a text without parameters.
    public init(stringLiteral value: String) { parts = [.words(value)] }

    /// Creates a text with parameters.
    public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    /// Collects the parts of a text.
    public struct StringInterpolation: StringInterpolationProtocol {
        var parts: [_SummaryNode.Part] = []

        /// Creates an empty text.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends words.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.words(literal)) }
        }

        /// Appends a parameter.
        public mutating func appendInterpolation<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>) {
            parts.append(.parameter(parameter))
        }
    }
}

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

/// Takes the summary of an intent.
@resultBuilder public struct ParameterSummaryBuilder<Intent> {
    /// Takes a summary.
    public static func buildExpression<Content: ParameterSummary>(_ content: Content) -> Content { content }
    /// Takes the only summary.
    public static func buildBlock<Content: ParameterSummary>(_ content: Content) -> Content { content }
    /// Takes no summary.
    public static func buildBlock() -> EmptyParameterSummary<Intent> { EmptyParameterSummary() }
}
