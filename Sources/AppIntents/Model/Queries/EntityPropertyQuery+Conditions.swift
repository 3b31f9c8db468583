extension EntityPropertyQuery {
    /// Runs the app's query for conditions of a person.
    ///
    /// An entity of the type is needed to find properties by their names; `sample` is one.
    package func entities(
        fitting conditions: [EntityQueryCondition], mode: EntityQueryComparatorMode,
        sortedBy sorting: [(property: String, order: EntityQuerySort<Entity>.Ordering)], limit: Int?,
        sample: Entity
    ) async throws -> Result {
        var comparators: [ComparatorMappingType] = []
        for condition in conditions {
            let declaration = Self.properties.properties.first {
                EntityReflection.name(of: $0.property(sample), in: sample) == condition.property
            }
            guard let declaration else {
                throw EntityQueryError.unknownProperty(condition.property, type: Entity.persistentIdentifier)
            }
            guard let comparison = declaration.comparisons.first(where: { $0.kind == condition.kind }) else {
                throw EntityQueryError.unsupportedComparison(
                    condition.kind.rawValue, property: condition.property)
            }
            comparators.append(try await comparison.map(condition.inputs))
        }
        var sorts: [EntityQuerySort<Entity>] = []
        for (property, order) in sorting {
            let option = Self.sortingOptions.content.first {
                EntityReflection.name(of: $0.property(sample), in: sample) == property
            }
            guard let option else { throw EntityQueryError.notSortable(property) }
            sorts.append(EntityQuerySort(by: option.keyPath, order: order))
        }
        return try await entities(matching: comparators, mode: mode, sortedBy: sorts, limit: limit)
    }
}
