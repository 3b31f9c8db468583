/// Collects the comparators of a property.
@resultBuilder public struct EntityQueryComparatorsBuilder<Value: _IntentValue, ComparatorMappingType> {
    /// A comparison.
    public typealias Comparison = EntityQueryComparison<ComparatorMappingType>

    /// Takes a comparator.
    public static func buildExpression<InputType>(
        _ comparator: EntityQueryComparator<EntityProperty<Value>, Value, InputType, ComparatorMappingType>
    ) -> Comparison { comparator.comparison }
    /// Joins comparators.
    public static func buildBlock(_ comparisons: Comparison...) -> [Comparison] { comparisons }
}
