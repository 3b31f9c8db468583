/// An entity of which there is one, such as the settings of an app.
public protocol UniqueAppEntity: AppEntity where DefaultQuery: UniqueAppEntityQuery {}

extension UniqueAppEntity {
    /// The name of the type, because there is only one entity.
    public var id: String { Self.persistentIdentifier }
}

/// The query of an entity of which there is one.
public protocol UniqueAppEntityQuery: EntityQuery {
    /// Returns the entity.
    func uniqueEntity() async throws -> Entity
}

extension UniqueAppEntityQuery {
    /// Returns the entity if its identifier is among these.
    public func entities(for identifiers: [Entity.ID]) async throws -> [Entity] {
        let entity = try await uniqueEntity()
        return identifiers.contains(entity.id) ? [entity] : []
    }
}

extension UniqueAppEntityQuery where Result == [Entity] {
    /// Returns the only entity.
    public func suggestedEntities() async throws -> [Entity] { [try await uniqueEntity()] }
}

/// A query of the only entity that asks a closure.
public struct UniqueAppEntityProvider<Entity: AppEntity>: UniqueAppEntityQuery {
    private let provide: (@Sendable () async throws -> Entity)?

    /// Creates a query without an entity, which only the system does.
    public init() { provide = nil }

    /// Creates a query that gives the entity of the closure.
    public init(_ provide: @escaping @Sendable () async throws -> Entity) { self.provide = provide }

    /// Returns the entity of the closure.
    public func uniqueEntity() async throws -> Entity {
        guard let provide else { throw AppIntentError.Unrecoverable.entityNotFound }
        return try await provide()
    }
}
