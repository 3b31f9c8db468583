/// The type of a parameter's or a property's values.
package struct DeclaredValueType: Hashable, Sendable {
    /// The kind of a single value.
    package var kind: Kind
    /// The name of the enumeration or of the entity's type; nil for other kinds.
    package var name: String?
    /// Whether there may be no value.
    package var isOptional = false
    /// Whether there may be several values.
    package var isList = false

    /// The kind of a value.
    package enum Kind: String, CaseIterable, Sendable {
        case text, integer, real, flag, date, components, url, measurement, money, file, person
        case paymentMethod, identifier
        /// A case of an enumeration.
        case choice
        /// An entity.
        case entity
        /// A value of one of several kinds.
        case union
        /// No value.
        case nothing
    }

    package init(_ kind: Kind, named name: String? = nil) { (self.kind, self.name) = (kind, name) }

    /// The keys of the type in the object of a parameter or property.
    var members: [JSON.Member] {
        [
            .init("kind", .string(kind.rawValue)), .init("type", JSON(name)),
            .init("optional", .boolean(isOptional)), .init("list", .boolean(isList)),
        ]
    }

    /// Reads the type from the object of a parameter or property.
    init(membersOf json: JSON) throws(JSONError) {
        kind = try json.declared("kind") { Kind(rawValue: $0) }
        name = json["type"]?.string
        isOptional = json["optional"]?.boolean ?? false
        isList = json["list"]?.boolean ?? false
    }
}
