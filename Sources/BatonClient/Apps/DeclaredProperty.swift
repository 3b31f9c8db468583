/// A property of an entity as an app's manifest declares it.
package struct DeclaredProperty: Equatable, Sendable {
    /// The name in the source.
    package var name: String
    /// The name for people; empty if the app gives none.
    package var title: String
    /// The type of the values.
    package var type: DeclaredValueType
    /// The index attribute with the value, as queries name it; nil if the value is not indexed.
    package var attribute: String?
    /// Whether `attribute` is one that the app defines.
    package var isCustom = false
    /// Whether only the type is known, because the app has made no entity yet.
    package var isKnownByTypeOnly = false

    package init(name: String, title: String, type: DeclaredValueType) {
        (self.name, self.title, self.type) = (name, title, type)
    }

    /// The property as JSON.
    package var json: JSON {
        .object(
            [.init("name", .string(name)), .init("title", .string(title))] + type.members + [
                .init("attribute", JSON(attribute)), .init("custom", .boolean(isCustom)),
                .init("typeOnly", .boolean(isKnownByTypeOnly)),
            ])
    }

    /// Reads a property.
    package init(_ json: JSON) throws(JSONError) {
        name = try json.declared("name")
        title = json["title"]?.string ?? ""
        type = try DeclaredValueType(membersOf: json)
        attribute = json["attribute"]?.string
        isCustom = json["custom"]?.boolean ?? false
        isKnownByTypeOnly = json["typeOnly"]?.boolean ?? false
    }
}
