import BatonCore
import CoreSpotlight
import Support
import Testing

@Suite struct `Properties of an attribute set` {
    @Test func `exist for every attribute except App Intents' own`() {
        let names = AttributeTable.properties.map(\.name)
        let expected = Attribute.allCases.map(\.name).filter { $0 != "relatedAppEntityIdentifier" }
        #expect(names.sorted() == expected.sorted())
    }

    /// A value of each type, and how an app sets it.
    private static func sample(_ type: AttributeType) -> (PropertyValue, Any)? {
        let person = CSPerson(displayName: "Ann", handles: ["a"], handleIdentifier: "b")
        let date = Date(timeIntervalSince1970: 5.5)
        return switch type {
        case .string, .typeIdentifier: (.string("public.text"), "public.text")
        case .strings: (.array([.string("a"), .string("b")]), ["a", "b"])
        case .integer: (.integer(7), NSNumber(value: 7))
        case .real, .number: (.real(2.5), NSNumber(value: 2.5))
        case .boolean: (.boolean(true), NSNumber(value: true))
        case .date: (.date(5.5), date)
        case .dates: (.array([.date(5.5)]), [date])
        case .data: (.data([1, 2]), Data([1, 2]))
        case .url: (.url("https://example.org/"), URL(string: "https://example.org/") as Any)
        case .persons: PropertyValue(person).map { (.array([$0]), [person]) }
        case .headers: (.dictionary([.string("a"): .array([.string("b")])]), ["a": ["b"]])
        case .entity: nil
        }
    }

    @Test func `read only the attribute of the same name`() throws {
        for (name, path) in AttributeTable.properties {
            let attribute = try #require(Attribute(name: name))
            let (value, _) = try #require(Self.sample(attribute.type))
            var attributes = AttributeSet()
            attributes[attribute] = .plain(value)
            let set = CSSearchableItemAttributeSet(attributes)
            let found = AttributeTable.properties.filter { !Self.isEmpty(set[keyPath: $0.path]) }.map(\.name)
            #expect(found == [name])
            _ = path
        }
    }

    /// Whether a property has no value, or the default one.
    private static func isEmpty(_ value: Any) -> Bool {
        if let list = value as? [String] { return list.isEmpty }
        if let number = value as? NSNumber { return number == 0 }
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional && mirror.children.isEmpty
    }

    @Test func `write the attribute of the same name`() throws {
        for (name, path) in AttributeTable.properties {
            let attribute = try #require(Attribute(name: name))
            let (value, object) = try #require(Self.sample(attribute.type))
            let set = CSSearchableItemAttributeSet()
            guard Self.write(object, to: set, path) else {
                #expect(["isPriority", "textContentSummary"].contains(name))
                continue
            }
            #expect(set.attributes.entries.map(\.name) == [.number(attribute.number)], "\(name)")
            #expect(set.attributes.value(attribute) == value, "\(name)")
            #expect(attribute.accepts(value), "\(name)")
        }
    }

    /// Sets a property to a value of its type; false if it can't be set.
    private static func write(
        _ value: Any, to set: CSSearchableItemAttributeSet,
        _ path: PartialKeyPath<CSSearchableItemAttributeSet>
    ) -> Bool {
        func write<Value>(_ value: Any, as type: Value.Type) -> Bool {
            if let path = path as? ReferenceWritableKeyPath<CSSearchableItemAttributeSet, Value?> {
                set[keyPath: path] = value as? Value
                return true
            }
            guard let path = path as? ReferenceWritableKeyPath<CSSearchableItemAttributeSet, Value>,
                let value = value as? Value
            else { return false }
            set[keyPath: path] = value
            return true
        }
        if let identifier = value as? String, let type = UTType(identifier), write(type, as: UTType.self) {
            return true
        }
        return write(value, as: String.self) || write(value, as: [String].self)
            || write(value, as: NSNumber.self)
            || write(value, as: Date.self) || write(value, as: [Date].self) || write(value, as: Data.self)
            || write(value, as: URL.self) || write(value, as: [CSPerson].self)
            || write(value, as: [String: [Any]].self)
    }

    @Test(arguments: Seeds.first(40))
    func `can be read from any index content, also with values of wrong types`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var attributes = AttributeSet()
        for attribute in Attribute.allCases where random.chance(50) {
            attributes[attribute] = random.attributeValue()
        }
        let set = CSSearchableItemAttributeSet(attributes)
        for (_, path) in AttributeTable.properties { _ = "\(set[keyPath: path])" }
        #expect(!set.description.isEmpty)
        let data = try NSKeyedArchiver.archivedData(withRootObject: set, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: CSSearchableItemAttributeSet.self, from: data)
        #expect(back == set)
    }

    @Test(arguments: Seeds.first(200)) func `keep all attributes of an item from the index`(seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: seed)
        let (name, item) = (random.itemName(), random.item())
        let found = CSSearchableItem(name, item)
        let index = ClientStateName(app: name.app, index: name.index)
        guard case .item(name.identifier, var back) = try found.change(of: index, at: .now) else {
            Issue.record("the change is no replacement")
            return
        }
        if item.attributes[.contentTypeTree] == nil { back.attributes[.contentTypeTree] = nil }
        #expect(back.attributes == item.attributes)
        #expect(back.domain == item.domain)
    }

    /// Whether Foundation can hold a value without loss: numbers of one worth are one member of its sets, and texts
    /// that are canonically equal are one key of its dictionaries.
    private static func isFaithful(_ value: PropertyValue) -> Bool {
        switch value {
        case .set, .dictionary: false
        case .url(let address): URL(string: address)?.absoluteString == address
        // Foundation counts dates from another year, which rounds them.
        case .date: false
        case .array(let values): values.allSatisfy(isFaithful)
        default: true
        }
    }

    @Test(arguments: Seeds.first(500)) func `keep values that are converted to Foundation's types and back`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        let value = random.value()
        let back = PropertyValue(value.swiftValue)
        #expect(back != nil)
        if Self.isFaithful(value) { #expect(back == value) }
    }
}
