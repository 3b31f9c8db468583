extension EntityPropertyQuery
where Entity: IndexedEntity, Result == [Entity], ComparatorMappingType == IndexedComparator {
    /// Returns the entities that fit, in order: the index finds their identifiers, and `entities(for:)` gives them.
    ///
    /// Without comparators, all entities in the index fit. Texts are sorted without case and accents, and an entity
    /// without a value comes last. Only entities that have an item of their own in the index are found. Entities that
    /// are hidden from searches have no item.
    public func entities(
        matching comparators: [IndexedComparator], mode: ComparatorMode, sortedBy: [EntityQuerySort<Entity>],
        limit: Int?
    ) async throws -> [Entity] {
        try await IndexedPropertySearch(self, comparators, mode, sortedBy, limit: limit).entities()
    }
}
