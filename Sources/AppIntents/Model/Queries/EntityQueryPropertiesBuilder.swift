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
