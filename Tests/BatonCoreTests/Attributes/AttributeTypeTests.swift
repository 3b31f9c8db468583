import BatonCore
import Testing

@Suite struct `The types of attributes` {
    /// One value of each kind, and special ones.
    private static let values: [(name: String, value: PropertyValue)] = [
        ("text", .string("a")), ("localized", .dictionary([.string("de"): .string("a")])),
        ("texts", .array([.string("a"), .string("b")])), ("nothing listed", .array([])),
        ("whole", .integer(7)), ("one", .integer(1)), ("whole real", .real(7)), ("real", .real(1.5)),
        ("true", .boolean(true)), ("date", .date(0)), ("dates", .array([.date(0)])), ("data", .data([1])),
        ("url", .url("https://example.com")), ("uuid", .uuid(Array(repeating: 0, count: 16))),
        ("null", .null),
        ("person", person), ("persons", .array([person])),
        ("headers", .dictionary([.string("To"): .array([.string("a")])])),
        ("set", .set([.string("a")])), ("mixed", .array([.string("a"), .integer(1)])),
    ]

    private static let person = PropertyValue.dictionary([
        PersonField.displayName: .string("Ann"), PersonField.handles: .array([.string("ann@example.com")]),
        PersonField.handleIdentifier: .string("emailAddresses"),
    ])

    /// The values above that each type accepts.
    private static let accepted: [AttributeType: [String]] = [
        .string: ["text", "localized"], .strings: ["texts", "nothing listed"],
        .integer: ["whole", "one", "whole real"], .real: ["whole", "one", "whole real", "real"],
        .number: ["whole", "one", "whole real", "real"], .boolean: ["one", "true"], .date: ["date"],
        .dates: ["nothing listed", "dates"], .data: ["data"], .url: ["url"], .typeIdentifier: ["text"],
        .persons: ["nothing listed", "persons"], .headers: ["headers"], .entity: ["texts"],
    ]

    @Test(arguments: AttributeType.allCases)
    func `a type accepts its own values and no others`(type: AttributeType) {
        #expect(Self.values.filter { type.accepts($0.value) }.map(\.name) == Self.accepted[type])
    }

    @Test func `a person value needs handles and their kind`() throws {
        var pairs = try #require(Self.person.pairs)
        pairs[PersonField.displayName] = nil
        pairs[.string("of a newer version")] = .integer(1)
        #expect(PropertyValue.dictionary(pairs).isPerson)
        pairs[PersonField.contactIdentifier] = .integer(1)
        #expect(!PropertyValue.dictionary(pairs).isPerson)
        pairs[PersonField.contactIdentifier] = nil
        pairs[PersonField.handleIdentifier] = nil
        #expect(!PropertyValue.dictionary(pairs).isPerson)
        #expect(!PropertyValue.dictionary([:]).isPerson)
        #expect(!PropertyValue.dictionary([:]).isText)
    }

    @Test(arguments: [
        "com_example_app_key", "a", "_", "9", "KMD", "kmd", "title", String(repeating: "a", count: 255),
    ])
    func `a custom name has letters, digits and underscores`(name: String) {
        #expect(CustomAttribute(name: name)?.name == name)
        #expect(CustomAttribute(name: name)?.field == .custom(Array(name.utf8)))
    }

    @Test(arguments: [
        "", "com.example", "a-b", "a b", "é", "kMDItemTitle", "kMD", "a\0",
        String(repeating: "a", count: 256),
    ])
    func `a custom name that is empty, too long, reserved or has other characters is refused`(name: String) {
        #expect(CustomAttribute(name: name) == nil)
    }

    @Test func `a custom value is a simple value or an array of simple values`() {
        let refused = ["url", "uuid", "headers", "set"]
        for (name, value) in Self.values {
            #expect(CustomAttribute.accepts(value) == !refused.contains(name), "\(name)")
        }
        #expect(!CustomAttribute.accepts(.array([.array([])])))
    }
}
