extension EntityQuery {
    /// Returns the entities that the query offers: all of them if it can name them.
    package func offeredEntities() async throws -> [any AppEntity] {
        if let query = self as? any EnumerableEntityQuery { return try await query.everything() }
        return try await suggestedEntities()._choices.compactMap { $0.value as? any AppEntity }
    }
}

extension EnumerableEntityQuery {
    /// Returns all entities.
    package func everything() async throws -> [any AppEntity] {
        try await allEntities()._choices.compactMap { $0.value as? any AppEntity }
    }
}

extension EntityStringQuery {
    /// Returns the entities for a text.
    package func matches(_ text: String) async throws -> [any AppEntity] {
        try await entities(matching: text)._choices.compactMap { $0.value as? any AppEntity }
    }
}
