/// The address of an intent.
public struct IntentURLRepresentation<Intent: AppIntent>: ExpressibleByStringInterpolation, Sendable {
    let template: _URLTemplate<Intent>

    init(_ whole: @escaping @Sendable (Intent) -> String) { template = _URLTemplate(parts: [.value(whole)]) }

    /// Creates an address without placeholders.
    public init(stringLiteral value: String) { template = _URLTemplate(parts: [.words(value)]) }

    /// Creates an address with placeholders.
    public init(stringInterpolation: StringInterpolation) { template = stringInterpolation.template }

    /// Collects the parts of an address.
    public struct StringInterpolation: StringInterpolationProtocol {
        var template = _URLTemplate<Intent>()

        /// Creates an empty address.
        public init(literalCapacity: Int, interpolationCount: Int) {}
        /// Appends words.
        public mutating func appendLiteral(_ literal: String) { template.parts.append(.words(literal)) }
        /// Appends a placeholder for a parameter.
        public mutating func appendInterpolation<Value>(
            _ parameter: KeyPath<Intent, IntentParameter<Value>>
        ) {
            // Key paths that literals make never change.
            nonisolated(unsafe) let parameter = parameter
            template.parts.append(.value { $0[keyPath: parameter].content?.summary ?? "" })
        }
    }
}
