/// A property of a query, without the type of its values.
///
/// Unchecked because neither comparators nor key paths that literals make ever change.
open class EntityQueryPropertyDeclaration<Entity: AppEntity, ComparatorMappingType>: @unchecked Sendable {
    /// The comparators by their kinds.
    package let comparisons: [EntityQueryComparison<ComparatorMappingType>]
    /// Returns the property of an entity.
    package let property: (Entity) -> any AnyEntityProperty

    /// Creates a property; `isOwn` is false if the property belongs to an entity that the query's entity refers to.
    init(
        _ comparisons: [EntityQueryComparison<ComparatorMappingType>], isOwn: Bool,
        property: @escaping (Entity) -> any AnyEntityProperty
    ) {
        let compared = ComparedProperty(isOwn: isOwn) { ($0 as? Entity).map(property) }
        self.comparisons = comparisons.map { $0.comparing(compared) }
        self.property = property
    }
}
