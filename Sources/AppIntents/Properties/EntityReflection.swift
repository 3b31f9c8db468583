package import CoreSpotlight

/// A property of one entity with its value.
package struct ReflectedProperty {
    /// The name of the property in the source.
    package let name: String
    /// The name for people; empty if the app gives none.
    package let title: String
    /// The kind of its values.
    package let form: _IntentValueForm
    /// The value; nil if none was set, or if it is deferred and was not awaited.
    package let content: _IntentValueContent?
    /// The attribute of the index with the value.
    package let attribute: PartialKeyPath<CSSearchableItemAttributeSet>?
    /// The attribute of the app's own with the value.
    package let customAttribute: CSCustomAttributeKey?
}

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
}

extension ReflectedProperty {
    fileprivate init(_ name: String, _ property: any AnyEntityProperty) {
        self.init(
            name: name, title: property.titleText, form: property.form, content: property.content,
            attribute: property.attribute, customAttribute: property.customAttribute)
    }

    fileprivate init(
        _ name: String, _ property: any AnyComputedEntityProperty, _ content: _IntentValueContent?
    ) {
        self.init(
            name: name, title: property.titleText, form: property.form, content: content,
            attribute: property.attribute, customAttribute: property.customAttribute)
    }
}
