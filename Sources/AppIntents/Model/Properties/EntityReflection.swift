/// Finds the properties of an entity by reflection.
package enum EntityReflection {
    /// Returns the properties without waiting for deferred ones.
    package static func properties(of entity: any AppEntity) -> [ReflectedProperty] {
        wrappers(of: entity).compactMap { name, child in
            if let property = child as? any AnyEntityProperty { return ReflectedProperty(name, property) }
            guard let property = child as? any AnyComputedEntityProperty else { return nil }
            return ReflectedProperty(name, property, property.content(in: entity))
        }
    }

    /// Returns the properties, and waits for deferred ones.
    package static func awaitedProperties(of entity: any AppEntity) async throws -> [ReflectedProperty] {
        var properties: [ReflectedProperty] = []
        for (name, child) in wrappers(of: entity) {
            if let property = child as? any AnyEntityProperty {
                properties.append(ReflectedProperty(name, property))
            } else if let property = child as? any AnyComputedEntityProperty {
                properties.append(
                    ReflectedProperty(name, property, try await property.awaitedContent(in: entity)))
            }
        }
        return properties
    }

    /// Returns the stored property wrappers with the names of their properties, also those of superclasses.
    private static func wrappers(of entity: any AppEntity) -> [(name: String, wrapper: Any)] {
        WrapperFields.values(of: entity) ?? WrappedProperties.all(of: entity)
    }

    /// Returns the name of a property of an entity; nil if it belongs to another entity.
    package static func name(of property: any AnyEntityProperty, in entity: any AppEntity) -> String? {
        if let name = property.computedName { return name }
        return wrappers(of: entity).first { ($0.wrapper as? any AnyEntityProperty) === property }?.name
    }
}
