/// The text of a tile with a value, such as `"Open \(\.$note)"`.
public struct AppShortcutParameterPresentationSummary<Intent: AppIntent, Value: _IntentValue>: Sendable {
    /// Creates a text.
    public init(_ summary: Text, table: StaticString? = nil) {}

    /// A text with a placeholder for the parameter.
    public struct Text: ExpressibleByStringInterpolation, Sendable {
        /// Creates a text without a placeholder.
        public init(stringLiteral value: String) {}
        /// Creates a text with placeholders.
        public init(stringInterpolation: StringInterpolation) {}

        /// Collects the parts of a text.
        public struct StringInterpolation: StringInterpolationProtocol {
            /// Creates an empty text.
            public init(literalCapacity: Int, interpolationCount: Int) {}
            /// Appends words.
            public mutating func appendLiteral(_ literal: String) {}
            /// Appends a placeholder for the value.
            public mutating func appendInterpolation(_ parameter: KeyPath<Intent, IntentParameter<Value>>) {}
        }
    }
}
