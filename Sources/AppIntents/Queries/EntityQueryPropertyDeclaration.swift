/// A property of a query, without the type of its values.
///
/// Unchecked because key paths that literals make never change, and comparators neither.
open class EntityQueryPropertyDeclaration<Entity: AppEntity, ComparatorMappingType>: @unchecked Sendable {
    /// The property, such as `\Book.$title`.
    package let keyPath: PartialKeyPath<Entity>?
    /// The comparators by their kinds.
    package let comparisons: [EntityQueryComparison<ComparatorMappingType>]
    /// Returns the property of an entity.
    package let property: (Entity) -> any AnyEntityProperty

    init(
        _ keyPath: PartialKeyPath<Entity>?, _ comparisons: [EntityQueryComparison<ComparatorMappingType>],
        property: @escaping (Entity) -> any AnyEntityProperty
    ) { (self.keyPath, self.comparisons, self.property) = (keyPath, comparisons, property) }
}
