/// The address of an entity, such as `"https://example.com/books/\(.id)"`.
public struct EntityURLRepresentation<Entity: AppEntity>: ExpressibleByStringInterpolation, Sendable {
    let template: _URLTemplate<Entity>

    /// Creates an address without placeholders.
    public init(stringLiteral value: String) { template = _URLTemplate(parts: [.words(value)]) }

    /// Creates an address with placeholders.
    public init(stringInterpolation: StringInterpolation) { template = stringInterpolation.template }

    /// A placeholder that is not a property.
    public struct Token: Sendable {
        /// The identifier of the entity.
        public static var id: Token { Token() }
    }

    /// Collects the parts of an address.
    public struct StringInterpolation: StringInterpolationProtocol {
        var template = _URLTemplate<Entity>()

        /// Creates an empty address.
        public init(literalCapacity: Int, interpolationCount: Int) {}
        /// Appends words.
        public mutating func appendLiteral(_ literal: String) { template.parts.append(.words(literal)) }
        /// Appends a placeholder for the identifier.
        public mutating func appendInterpolation(_ token: Token) {
            template.parts.append(.value { $0.id.entityIdentifierString })
        }
        /// Appends a placeholder for a property.
        public mutating func appendInterpolation<Value>(_ property: KeyPath<Entity, EntityProperty<Value>>) {
            // Key paths that literals make never change.
            nonisolated(unsafe) let property = property
            template.parts.append(.value { $0[keyPath: property].wrappedValue._content.summary })
        }
    }
}
