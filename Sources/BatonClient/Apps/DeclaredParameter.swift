/// A parameter of an intent as an app's manifest declares it.
package struct DeclaredParameter: Equatable, Sendable {
    /// The name in the source.
    package var name: String
    /// The name for people; empty if the app gives none.
    package var title: String
    /// The purpose; nil if the app says nothing.
    package var description: String?
    /// The type of the values.
    package var type: DeclaredValueType
    /// The value that is used if none is given, in words; nil if there is none.
    package var standard: String?
    /// The least and the greatest number, in words; nil if all are allowed.
    package var range: (least: String, greatest: String)?
    /// Whether the app offers values when it is asked.
    package var hasOptions = false

    package init(name: String, title: String, type: DeclaredValueType) {
        (self.name, self.title, self.type) = (name, title, type)
    }

    /// Whether a value must be given.
    package var isRequired: Bool { !type.isOptional && standard == nil }

    package static func == (one: DeclaredParameter, other: DeclaredParameter) -> Bool {
        one.json == other.json
    }

    /// The parameter as JSON.
    package var json: JSON {
        .object(
            [
                .init("name", .string(name)), .init("title", .string(title)),
                .init("description", JSON(description)),
            ] + type.members + [
                .init("default", JSON(standard)), .init("least", JSON(range?.least)),
                .init("greatest", JSON(range?.greatest)), .init("options", .boolean(hasOptions)),
            ])
    }

    /// Reads a parameter.
    package init(_ json: JSON) throws(JSONError) {
        name = try json.declared("name")
        title = json["title"]?.string ?? ""
        description = json["description"]?.string
        type = try DeclaredValueType(membersOf: json)
        standard = json["default"]?.string
        if let least = json["least"]?.string, let greatest = json["greatest"]?.string {
            range = (least, greatest)
        }
        hasOptions = json["options"]?.boolean ?? false
    }
}
