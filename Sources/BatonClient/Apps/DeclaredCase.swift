/// A case of an enumeration as an app's manifest declares it.
package struct DeclaredCase: Equatable, Sendable {
    /// The raw value, which commands take.
    package var name: String
    /// The name for people.
    package var title: String
    /// Other words for the case.
    package var synonyms: [String]

    package init(name: String, title: String, synonyms: [String] = []) {
        (self.name, self.title, self.synonyms) = (name, title, synonyms)
    }

    /// The case as JSON.
    package var json: JSON {
        .object([
            .init("name", .string(name)), .init("title", .string(title)),
            .init("synonyms", .array(synonyms.map { .string($0) })),
        ])
    }

    /// Reads a case.
    package init(_ json: JSON) throws(JSONError) {
        name = try json.declared("name")
        title = json["title"]?.string ?? name
        synonyms = try json.declaredTexts("synonyms")
    }
}
