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
        public mutating func appendInterpolation<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>)
        {
            parts.append(.parameter(parameter))
        }
    }
}
