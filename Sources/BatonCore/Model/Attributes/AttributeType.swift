/// The type of an attribute's value.
package enum AttributeType: UInt8, CaseIterable, Sendable {
    /// A text, or a text in several languages.
    case string
    case strings
    /// A whole number.
    case integer
    case real
    /// Any number.
    case number
    case boolean
    case date
    case dates
    case data
    case url
    /// The identifier of a uniform type.
    case typeIdentifier
    case persons
    /// A dictionary that maps the name of a header to a list of values.
    case headers
    /// The name of an app's entity type, and the identifier of an entity.
    case entity

    /// Whether an attribute of this type can hold a value.
    ///
    /// A number that was written without a fraction arrives as an integer, and a boolean may arrive as 0 or 1. Both are
    /// accepted. The value itself is not converted: a reader gets the value that was set.
    package func accepts(_ value: PropertyValue) -> Bool {
        switch (self, value) {
        case (.string, _): value.isText
        case (.typeIdentifier, .string(let identifier)): !identifier.isEmpty
        case (.strings, .array(let values)): values.allSatisfy(\.isText)
        case (.integer, .integer), (.real, .integer), (.number, .integer): true
        case (.integer, .real(let number)): number.isWhole
        case (.real, .real), (.number, .real): true
        case (.boolean, .boolean), (.boolean, .integer(0...1)): true
        case (.date, .date), (.data, .data), (.url, .url): true
        case (.dates, .array(let values)): values.allSatisfy(\.isDate)
        case (.persons, .array(let values)): values.allSatisfy(\.isPerson)
        case (.headers, .dictionary(let pairs)):
            pairs.allSatisfy { $0.key.string != nil && $0.value.isArray }
        case (.entity, .array(let values)): values.count == 2 && values.allSatisfy { $0.string != nil }
        default: false
        }
    }
}

extension Attribute {
    /// Whether a value has the type of this attribute.
    package func accepts(_ value: PropertyValue) -> Bool { type.accepts(value) }
}

extension PropertyValue {
    /// Whether the value is a text, or a dictionary that maps language codes to texts.
    package var isText: Bool {
        if let pairs {
            return !pairs.isEmpty && pairs.allSatisfy { $0.key.string != nil && $0.value.string != nil }
        }
        return string != nil
    }

    /// Whether the value is a person: a dictionary that has handles and says of what kind the handles are.
    package var isPerson: Bool {
        guard let pairs, case .array(let handles) = pairs[PersonField.handles],
            handles.allSatisfy({ $0.string != nil }), pairs[PersonField.handleIdentifier]?.string != nil
        else { return false }
        return [PersonField.displayName, PersonField.contactIdentifier].allSatisfy { field in
            pairs[field].map { $0.string != nil } ?? true
        }
    }

    fileprivate var isDate: Bool { if case .date = self { true } else { false } }
    fileprivate var isArray: Bool { if case .array = self { true } else { false } }
}

/// The keys of a person's dictionary, named after the properties of Apple's `CSPerson`.
package enum PersonField {
    package static let displayName = PropertyValue.string("displayName")
    package static let handles = PropertyValue.string("handles")
    package static let handleIdentifier = PropertyValue.string("handleIdentifier")
    package static let contactIdentifier = PropertyValue.string("contactIdentifier")
}

extension Double {
    /// Whether the number has no fraction and fits an integer.
    ///
    /// The number is converted and not rounded, because rounding would need a function of the C math library.
    fileprivate var isWhole: Bool { abs(self) < 0x1p63 && Double(Int64(self)) == self }
}
