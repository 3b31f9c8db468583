/// The identity of an entity, with the name of its type.
public struct AttributedEntityIdentifier: Hashable, Codable, Sendable {
    /// The type.
    public let typeIdentifier: AttributedTypeIdentifier
    /// The identifier.
    public let value: String

    /// Creates an identity.
    public init(typeIdentifier: AttributedTypeIdentifier, value: String) {
        (self.typeIdentifier, self.value) = (typeIdentifier, value)
    }
}
