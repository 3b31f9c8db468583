/// A property of a query, without the type of its values.
///
/// Unchecked because neither comparators nor key paths that literals make ever change.
open class EntityQueryPropertyDeclaration<Entity: AppEntity, ComparatorMappingType>: @unchecked Sendable {
    /// The comparators by their kinds.
    package let comparisons: [EntityQueryComparison<ComparatorMappingType>]
    /// Returns the property of an entity.
    package let property: (Entity) -> any AnyEntityProperty

    init(
        _ comparisons: [EntityQueryComparison<ComparatorMappingType>],
        property: @escaping (Entity) -> any AnyEntityProperty
    ) { (self.comparisons, self.property) = (comparisons, property) }
}
