/// An attribute that an app defined, like one of Apple's `CSCustomAttributeKey`.
package struct CustomAttribute: Hashable, Sendable {
    package let name: String

    /// Creates an attribute with that name; nil if the name is not allowed.
    package init?(name: String) {
        guard Self.isName(name) else { return nil }
        self.name = name
    }

    /// The name of the field that holds the attribute's value in a record.
    package var field: FieldName { .custom(Array(name.utf8)) }

    /// Whether an app may give an attribute this name.
    ///
    /// The name must consist of ASCII letters, digits and `_`, and must not begin with the prefix of the system's
    /// names.
    ///
    /// An app may use the name of one of Apple's properties, but in a query the name means Apple's property.
    package static func isName(_ name: some StringProtocol) -> Bool {
        !name.isEmpty && name.utf8.count <= nameBytes && !name.utf8.starts(with: reserved.utf8)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// Whether a custom attribute may hold this value: a text, number, date, data, person or null, or an array of
    /// these.
    package static func accepts(_ value: PropertyValue) -> Bool {
        if case .array(let values) = value { return values.allSatisfy(isSingle) }
        return isSingle(value)
    }

    private static func isSingle(_ value: PropertyValue) -> Bool {
        switch value {
        case .string, .integer, .real, .boolean, .data, .date, .null: true
        case .dictionary: value.isPerson || value.isText
        case .url, .uuid, .array, .set: false
        }
    }

    /// The prefix of the names of system attributes.
    private static let reserved = "kMD"
    /// The maximum length of a name in bytes.
    ///
    /// Apple documents no limit; this one is far longer than any name in reverse DNS notation.
    package static let nameBytes = 255
}
