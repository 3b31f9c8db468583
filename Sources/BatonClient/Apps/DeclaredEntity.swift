/// A type of entities as an app's manifest declares it.
package struct DeclaredEntity: Equatable, Sendable {
    /// The name in the source.
    package var name: String
    /// The name for people.
    package var title: String
    /// Other words for the type.
    package var synonyms: [String] = []
    /// Whether entities of the type are indexed.
    package var isIndexed = false
    /// Whether the app's query finds entities by a text.
    package var hasTextQuery = false
    /// The properties, in the order of the declaration.
    package var properties: [DeclaredProperty] = []

    package init(name: String, title: String) { (self.name, self.title) = (name, title) }

    /// Returns the property with a name; nil if there is none.
    package func property(named name: String) -> DeclaredProperty? { properties.first { $0.name == name } }

    /// Returns the type with the titles and attributes of an earlier declaration, where this one has none.
    func completed(by earlier: DeclaredEntity) -> DeclaredEntity {
        var entity = self
        entity.properties = properties.map { property in
            guard property.isKnownByTypeOnly, let known = earlier.property(named: property.name),
                known.type == property.type
            else { return property }
            return known
        }
        return entity
    }

    /// The type as JSON.
    package var json: JSON {
        .object([
            .init("name", .string(name)), .init("title", .string(title)),
            .init("synonyms", .array(synonyms.map { .string($0) })), .init("indexed", .boolean(isIndexed)),
            .init("textQuery", .boolean(hasTextQuery)),
            .init("properties", .array(properties.map(\.json))),
        ])
    }

    /// Reads a type.
    package init(_ json: JSON) throws(JSONError) {
        name = try json.declared("name")
        title = try json.declared("title")
        synonyms = try json.declaredTexts("synonyms")
        isIndexed = json["indexed"]?.boolean ?? false
        hasTextQuery = json["textQuery"]?.boolean ?? false
        properties = try json.declaredList("properties") { (json) throws(JSONError) in
            try DeclaredProperty(json)
        }
    }
}
