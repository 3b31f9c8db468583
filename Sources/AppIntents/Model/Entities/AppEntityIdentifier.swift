/// The identity of an entity: the name of its type, and its identifier.
public struct AppEntityIdentifier: Hashable, Codable, Sendable {
    /// The type.
    public let entityType: AttributedTypeIdentifier
    /// The identifier.
    public let instanceIdentifier: String

    /// Creates an identity.
    public init(entityType: AttributedTypeIdentifier, instanceIdentifier: String) {
        (self.entityType, self.instanceIdentifier) = (entityType, instanceIdentifier)
    }
}
