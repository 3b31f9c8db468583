// Names of Apple's newest systems that describe entities; on Linux they carry their values and nothing more.

/// The name of a type of entities.
public struct AttributedTypeIdentifier: Hashable, Codable, Sendable {
    /// The name.
    public let value: String

    /// Creates a name.
    public init(_ value: String) { self.value = value }
}

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

/// Something that is about an entity.
public protocol AppEntityAnnotatable {
    /// The entity.
    var appEntityIdentifier: EntityIdentifier? { get set }
}

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

/// An entity whose identity is the same on all machines; on Linux that holds of every entity.
public protocol SyncableEntity: AppEntity {}

/// The identity of an entity on all machines.
public struct SyncableEntityIdentifier: Hashable, Codable, Sendable {
    /// The identifier.
    public let value: String

    /// Creates an identity.
    public init(_ value: String) { self.value = value }
}

/// An entity that says to whom it belongs; on Linux a mark.
public protocol OwnershipProvidingEntity: AppEntity {}
