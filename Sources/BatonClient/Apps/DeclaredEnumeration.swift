/// An enumeration as an app's manifest declares it.
package struct DeclaredEnumeration: Equatable, Sendable {
    /// The name in the source.
    package var name: String
    /// The name for people.
    package var title: String
    /// The cases, in the order in which they are offered.
    package var cases: [DeclaredCase] = []

    package init(name: String, title: String, cases: [DeclaredCase]) {
        (self.name, self.title, self.cases) = (name, title, cases)
    }

    /// The enumeration as JSON.
    package var json: JSON {
        .object([
            .init("name", .string(name)), .init("title", .string(title)),
            .init("cases", .array(cases.map(\.json))),
        ])
    }

    /// Reads an enumeration.
    package init(_ json: JSON) throws(JSONError) {
        name = try json.declared("name")
        title = try json.declared("title")
        cases = try json.declaredList("cases") { (json) throws(JSONError) in try DeclaredCase(json) }
    }
}
