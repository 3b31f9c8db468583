/// The identity of an entity by the names of its type and of the entity.
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
