/// An attribute that an app made up, as Apple's `CSCustomAttributeKey` describes it.
package struct CustomAttribute: Hashable, Sendable {
    package let name: String

    /// An attribute of that name, or nothing if the name is none.
    package init?(name: String) {
        guard Self.isName(name) else { return nil }
        self.name = name
    }

    /// The field of a record that holds its value.
    package var field: FieldName { .custom(Array(name.utf8)) }

    /// Whether an app may call an attribute that: letters, digits and `_` of ASCII, and not as the system calls its own.
    ///
    /// A name of one of Apple's properties is allowed; in a query that name then means the property.
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

    /// Whether it may hold that value: a text, number, date, data, person or null, or several of them in an array.
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

    /// With these letters the names of the system's own attributes begin.
    private static let reserved = "kMD"
    /// The longest name, far beyond any reverse DNS; Apple gives no figure.
    package static let nameBytes = 255
}
