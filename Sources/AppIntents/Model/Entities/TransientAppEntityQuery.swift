/// The query of entities that are never queried.
public struct TransientAppEntityQuery<Entity: TransientAppEntity>: EntityQuery {
    /// Creates the query.
    public init() {}
    /// Returns nothing.
    public func entities(for identifiers: [Entity.ID]) async throws -> [Entity] { [] }
    /// Returns nothing.
    public func suggestedEntities() async throws -> [Entity] { [] }
}
