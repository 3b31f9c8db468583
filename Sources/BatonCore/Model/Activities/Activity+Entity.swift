extension Activity {
    /// The entity that the activity is about: the one that its app named, or else the one in its attributes.
    package var namedEntity: Entity? { entity ?? Entity(attributes) }
}

extension Activity.Entity {
    /// The names of the attributes in which the library AppIntents writes the entity that a thing is about.
    package static let (typeAttribute, identifierAttribute) =
        ("org_baton_entity_type", "org_baton_entity_identifier")

    /// The most bytes of a type and an identifier together.
    private static let bytesMost = 4096

    /// Reads the entity from the attributes of an activity; nil if they name none.
    package init?(_ attributes: AttributeSet) {
        self.init { attributes[$0]?.text }
    }

    /// Reads the entity from the fields of an item; nil if they name none.
    init?(_ fields: Fields) {
        self.init { name in fields[name].flatMap { Fields.plain($0[...])?.string } }
    }

    private init?(_ text: (FieldName) -> String?) {
        guard let type = text(.custom(Array(Self.typeAttribute.utf8))),
            let identifier = text(.custom(Array(Self.identifierAttribute.utf8))),
            type.utf8.count + identifier.utf8.count <= Self.bytesMost
        else { return nil }
        self.init(type: type, identifier: identifier)
    }

    /// The attributes that name the entity.
    package var attributes: AttributeSet {
        var attributes = AttributeSet()
        attributes[.custom(Array(Self.typeAttribute.utf8))] = .plain(.string(type))
        attributes[.custom(Array(Self.identifierAttribute.utf8))] = .plain(.string(identifier))
        return attributes
    }
}

extension AttributeValue {
    /// The text of a value that is not sealed; nil for other values.
    fileprivate var text: String? { if case .plain(let value) = self { value.string } else { nil } }
}
