/// The query of an entity of which there is one.
public protocol UniqueAppEntityQuery: EntityQuery {
    /// The type of the entity.
    associatedtype Entity

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
