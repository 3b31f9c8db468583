/// Evaluates comparators on the entities themselves, where the index is not exact.
struct EntityFilter {
    let comparators: [IndexedComparator]
    /// The names of the compared properties in the source; nil for properties of other entities.
    let names: [String?]
    let mode: EntityQueryComparatorMode
    /// Whether entities that match the query of the index may not fit the comparators.
    let isNeeded: Bool

    /// Returns the entities that fit, in the same order.
    func fitting<Entity: AppEntity>(_ entities: [Entity]) async throws -> [Entity] {
        guard isNeeded, !comparators.isEmpty else { return entities }
        var fitting: [Entity] = []
        for entity in entities {
            if try await fits(entity) { fitting.append(entity) }
        }
        return fitting
    }

    private func fits(_ entity: any AppEntity) async throws -> Bool {
        let contents = try await EntityContents(of: entity)
        let results = zip(comparators, names).lazy.map { contents.fit($0, named: $1, entity) }
        return mode == .and ? results.allSatisfy(\.self) : results.contains(true)
    }
}
