public import CoreSpotlight

/// A query that indexes its entities again when the index has lost them.
public protocol IndexedEntityQuery: EntityQuery where Entity: IndexedEntity {
    /// Indexes these entities again.
    func reindexEntities(
        for identifiers: [Entity.ID], indexDescription: CSSearchableIndexDescription
    ) async throws
    /// Indexes all entities again.
    func reindexAllEntities(indexDescription: CSSearchableIndexDescription) async throws
}
