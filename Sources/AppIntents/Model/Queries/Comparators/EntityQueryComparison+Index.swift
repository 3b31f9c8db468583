extension EntityQueryComparison {
    /// Returns a comparison whose `IndexedComparator` names the property; comparisons of other mapping types
    /// stay as they are.
    func comparing(_ property: ComparedProperty) -> EntityQueryComparison {
        guard ComparatorMappingType.self == IndexedComparator.self else { return self }
        let map = map
        return EntityQueryComparison(kind: kind, form: form, specification: specification) { contents in
            let value = try await map(contents)
            guard let comparator = value as? IndexedComparator,
                let named = comparator.comparing(property) as? ComparatorMappingType
            else { return value }
            return named
        }
    }
}
