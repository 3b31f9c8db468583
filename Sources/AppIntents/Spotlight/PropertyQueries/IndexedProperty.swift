import BatonCore

/// A property of an entity whose values the index keeps.
package struct IndexedProperty: Equatable, Sendable {
    /// The name of the attribute in a query.
    package let attribute: String
    /// The kind of a single value in the index.
    let kind: Kind
    /// Whether the values are lists.
    let isList: Bool

    /// The kinds of single values that queries compare.
    enum Kind: Equatable, Sendable {
        case text
        /// A whole number, a number with a fraction, or a truth value.
        case number
        case date
    }

    /// Finds the attribute of a property as the manifest does; nil if the attribute loses the property's values.
    ///
    /// A number in a text attribute loses its order, a measurement loses its unit, and a list in an attribute for a
    /// single value loses its elements.
    init?(_ property: ReflectedProperty) {
        guard let (name, isCustom) = property.queriedAttribute, !Self.isTaken(name, isCustom: isCustom) else {
            return nil
        }
        let type = isCustom ? nil : Attribute(queryName: name)?.type
        guard isCustom || type != nil else { return nil }
        var form = property.form
        if case .optional(let inner) = form { form = inner }
        if case .list(let element) = form {
            guard let kind = Self.elementKind(of: element, in: type) else { return nil }
            self.init(attribute: name, kind: kind, isList: true)
        } else {
            guard let kind = Self.kind(of: form, in: type) else { return nil }
            self.init(attribute: name, kind: kind, isList: false)
        }
    }

    private init(attribute: String, kind: Kind, isList: Bool) {
        (self.attribute, self.kind, self.isList) = (attribute, kind, isList)
    }

    /// Whether the value under a name can be another one than the property's.
    ///
    /// The item's own domain hides `domainIdentifier`, a priority sets `rankingHint`, the library writes the entity's
    /// identity, and a query takes the name of a custom attribute for Apple's attribute of that name.
    private static func isTaken(_ name: String, isCustom: Bool) -> Bool {
        if isCustom { return name.hasPrefix("org_baton_") || Attribute(queryName: name) != nil }
        return ["domainIdentifier", "rankingHint"].contains(name)
    }

    /// Returns the kind of a value in an attribute; `type` is nil for an attribute that the app defines.
    private static func kind(of form: _IntentValueForm, in type: AttributeType?) -> Kind? {
        switch (form, type) {
        case (.text, nil), (.text, .string), (.text, .strings): .text
        case (.choice, nil), (.choice, .string), (.choice, .strings): .text
        case (.entity, nil), (.entity, .string), (.entity, .strings): .text
        case (.url, nil), (.url, .string), (.url, .strings), (.url, .url): .text
        case (.integer, nil), (.integer, .integer), (.integer, .real), (.integer, .number): .number
        case (.real, nil), (.real, .real), (.real, .number): .number
        case (.flag, nil), (.flag, .boolean): .number
        case (.date, nil), (.date, .date), (.date, .dates): .date
        default: nil
        }
    }

    /// Returns the kind of the elements of a list in an attribute.
    private static func elementKind(of form: _IntentValueForm, in type: AttributeType?) -> Kind? {
        switch type {
        case nil, .strings, .dates: kind(of: form, in: type)
        default: nil
        }
    }
}
