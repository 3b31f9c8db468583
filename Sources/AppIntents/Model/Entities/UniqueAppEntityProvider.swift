/// A query that asks a closure for the only entity.
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
