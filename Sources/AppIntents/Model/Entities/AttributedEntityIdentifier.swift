/// The identity of an entity together with its type by name.
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
