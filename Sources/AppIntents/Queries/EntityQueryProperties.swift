/// The properties of a query with their comparators.
public struct EntityQueryProperties<Entity: AppEntity, ComparatorMappingType>: Sendable {
    /// The properties.
    public let properties: [EntityQueryPropertyDeclaration<Entity, ComparatorMappingType>]

    /// Creates the properties that a closure lists.
    public init(
        @EntityQueryPropertiesBuilder<Entity, ComparatorMappingType> properties: () ->
            [EntityQueryPropertyDeclaration<Entity, ComparatorMappingType>]
    ) { self.properties = properties() }

    /// The property at a place.
    public subscript(index: Int) -> EntityQueryPropertyDeclaration<Entity, ComparatorMappingType> {
        properties[index]
    }
}

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

/// A property of a query.
public final class EntityQueryProperty<
    Entity: AppEntity, Subject, Value: _IntentValue, ComparatorMappingType
>: EntityQueryPropertyDeclaration<Entity, ComparatorMappingType>, @unchecked Sendable {
    /// Creates a property of an entity that the query's own entity refers to.
    public init(
        _ keyPath: KeyPath<Subject, EntityProperty<Value>>, entityProvider: @escaping (Entity) -> Subject,
        @EntityQueryComparatorsBuilder<Value, ComparatorMappingType> comparators: () ->
            [EntityQueryComparison<ComparatorMappingType>]
    ) {
        super.init(keyPath as? PartialKeyPath<Entity>, comparators()) {
            entityProvider($0)[keyPath: keyPath]
        }
    }
}

extension EntityQueryProperty where Subject == Entity {
    /// Creates a property.
    public convenience init(
        _ keyPath: KeyPath<Entity, EntityProperty<Value>>,
        @EntityQueryComparatorsBuilder<Value, ComparatorMappingType> comparators: () ->
            [EntityQueryComparison<ComparatorMappingType>]
    ) { self.init(keyPath, entityProvider: { $0 }, comparators: comparators) }
}

/// Collects the properties of a query.
@resultBuilder public struct EntityQueryPropertiesBuilder<Entity: AppEntity, ComparatorMappingType> {
    /// A property.
    public typealias Declaration = EntityQueryPropertyDeclaration<Entity, ComparatorMappingType>

    /// Takes a property.
    public static func buildExpression<Subject, Value>(
        _ property: EntityQueryProperty<Entity, Subject, Value, ComparatorMappingType>
    ) -> Declaration { property }
    /// Joins properties.
    public static func buildBlock(_ properties: Declaration...) -> [Declaration] { properties }
}
