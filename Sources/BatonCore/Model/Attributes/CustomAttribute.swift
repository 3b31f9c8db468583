/// An attribute that an app defined, as described by Apple's `CSCustomAttributeKey`.
package struct CustomAttribute: Hashable, Sendable {
    package let name: String

    /// Creates an attribute with that name; nil if the name is not allowed.
    package init?(name: String) {
        guard Self.isName(name) else { return nil }
        self.name = name
    }

    /// The name of the field that holds its value in a record.
    package var field: FieldName { .custom(Array(name.utf8)) }

    /// Whether an app may use that name: ASCII letters, digits and `_`, and not the prefix of the system's names.
    ///
    /// The name of one of Apple's properties is allowed, but in a query it means that property.
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

    /// Whether the attribute may hold that value: a text, number, date, data, person or null, or an array of these.
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
    /// The longest name in bytes, far beyond any reverse DNS; Apple gives no figure.
    package static let nameBytes = 255
}
