public import CoreSpotlight

extension CSSearchableIndex {
    /// Adds entities to the index, or replaces those with the same identifiers; hidden entities are removed.
    ///
    /// Pass 100 to 500 entities in one call.
    nonisolated(nonsending) public func indexAppEntities<Entity: IndexedEntity>(
        _ entities: [Entity], priority: Int = 0
    ) async throws {
        EntityTypes.shared.register(Entity.self)
        var items: [CSSearchableItem] = []
        var hidden: [String] = []
        for entity in entities {
            if entity.hideInSpotlight {
                hidden.append(EntityAssociation(entity.entityIdentifier).itemIdentifier)
            } else {
                items.append(try await CSSearchableItem(appEntity: entity, priority: priority))
            }
        }
        if !hidden.isEmpty { try await deleteSearchableItems(withIdentifiers: hidden) }
        if !items.isEmpty { try await indexSearchableItems(items) }
    }

    /// Removes entities from the index by their identifiers; those that it does not have are ignored.
    nonisolated(nonsending) public func deleteAppEntities<Entity: IndexedEntity>(
        identifiedBy identifiers: [Entity.ID], ofType type: Entity.Type
    ) async throws {
        try await deleteSearchableItems(
            withIdentifiers: identifiers.map {
                EntityAssociation(EntityIdentifier(for: type, identifier: $0)).itemIdentifier
            })
    }

    /// Removes all entities of a type from the index.
    nonisolated(nonsending) public func deleteAppEntities<Entity: IndexedEntity>(
        ofType type: Entity.Type
    ) async throws {
        try await deleteSearchableItems(
            withDomainIdentifiers: [EntityAssociation.domain(of: type.persistentIdentifier)])
    }
}
