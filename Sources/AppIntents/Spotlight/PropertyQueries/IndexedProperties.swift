import BatonNetwork

/// The properties of a type of entities whose values the index keeps.
package struct IndexedProperties: Sendable {
    private let properties: [String: IndexedProperty]

    /// The properties of the types that this process has searched.
    private static let known = Monitor<[ObjectIdentifier: IndexedProperties]>([:])

    /// Returns the properties of the type of an entity, which are found only once for each type.
    static func all(ofTypeOf sample: any AppEntity) -> IndexedProperties {
        let key = ObjectIdentifier(type(of: sample))
        if let found = known.change({ $0[key] }) { return found }
        let found = IndexedProperties(of: sample)
        known.change { $0[key] = found }
        return found
    }

    /// Finds the properties of the type of an entity, because only an entity knows the attributes of its properties.
    package init(of sample: any AppEntity) {
        let found = EntityReflection.properties(of: sample).compactMap { property in
            IndexedProperty(property).map { (name: property.name, property: $0) }
        }
        // If two properties share an attribute, the attribute has the value of only one of them.
        let uses = Dictionary(grouping: found) { $0.property.attribute }
        properties = Dictionary(
            found.filter { uses[$0.property.attribute]?.count == 1 }.map { ($0.name, $0.property) }
        ) { first, _ in first }
    }

    /// The property with a name; nil if the index does not keep its values.
    package subscript(name name: String) -> IndexedProperty? { properties[name] }
}
