/// Finds the properties of an entity by reflection; property wrappers are stored under the name with `_` before it.
package enum EntityReflection {
    /// Returns the properties without waiting for deferred ones.
    package static func properties(of entity: any AppEntity) -> [ReflectedProperty] {
        children(of: entity).compactMap { name, child in
            if let property = child as? any AnyEntityProperty { return ReflectedProperty(name, property) }
            guard let property = child as? any AnyComputedEntityProperty else { return nil }
            return ReflectedProperty(name, property, property.content(in: entity))
        }
    }

    /// Returns the properties, and waits for deferred ones.
    package static func awaitedProperties(of entity: any AppEntity) async throws -> [ReflectedProperty] {
        var properties: [ReflectedProperty] = []
        for (name, child) in children(of: entity) {
            if let property = child as? any AnyEntityProperty {
                properties.append(ReflectedProperty(name, property))
            } else if let property = child as? any AnyComputedEntityProperty {
                properties.append(
                    ReflectedProperty(name, property, try await property.awaitedContent(in: entity)))
            }
        }
        return properties
    }

    /// Returns the stored properties with their names, also those of superclasses.
    private static func children(of entity: any AppEntity) -> [(String, Any)] {
        var children: [(String, Any)] = []
        var mirror: Mirror? = Mirror(reflecting: entity)
        while let current = mirror {
            for child in current.children {
                guard let label = child.label, label.hasPrefix("_") else { continue }
                children.append((String(label.dropFirst()), child.value))
            }
            mirror = current.superclassMirror
        }
        return children
    }

    /// Returns the name of a property of an entity; nil if it belongs to another entity.
    package static func name(of property: any AnyEntityProperty, in entity: any AppEntity) -> String? {
        if let name = property.computedName { return name }
        return children(of: entity).first { ($0.1 as? any AnyEntityProperty) === property }?.0
    }
}
