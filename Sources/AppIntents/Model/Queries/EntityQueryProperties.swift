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
