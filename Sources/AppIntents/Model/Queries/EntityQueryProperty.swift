/// A property of a query.
public final class EntityQueryProperty<
    Entity: AppEntity, Subject, Value: _IntentValue, ComparatorMappingType
    // Unchecked for the reason of the superclass.
>: EntityQueryPropertyDeclaration<Entity, ComparatorMappingType>, @unchecked Sendable {
    /// Creates a property of an entity that the query's own entity refers to.
    public init(
        _ keyPath: KeyPath<Subject, EntityProperty<Value>>, entityProvider: @escaping (Entity) -> Subject,
        @EntityQueryComparatorsBuilder<Value, ComparatorMappingType> comparators: () ->
            [EntityQueryComparison<ComparatorMappingType>]
    ) {
        super.init(comparators(), isOwn: Subject.self == Entity.self) { entityProvider($0)[keyPath: keyPath] }
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
