import BatonCore
import Support
import Testing

@Suite struct `Attribute sets` {
    @Test(arguments: Seeds.first(10))
    func `have the last value set for each name, in the order of names`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (set, values): (AttributeSet, [FieldName: AttributeValue]) = (AttributeSet(), [:])
        for _ in 0..<200 {
            let name: FieldName =
                chance(&generator)
                ? .number(UInt64(generator.number(32...60))) : .custom(Array(generator.text(0...1).utf8))
            var value = generator.chance(70) ? generator.attributeValue() : nil
            if case .number = name, value == .plain(.null) { value = nil }
            set[name] = value
            values[name] = value
        }
        #expect(set.entries.map(\.name) == values.keys.sorted())
        for (name, value) in values { #expect(set[name] == value) }
        #expect(set.fields.count == values.count)
    }

    private func chance(_ generator: inout SeededGenerator) -> Bool { generator.chance(60) }

    @Test func `drop null for a system attribute, and store null for an app's own attribute`() throws {
        let custom = try #require(CustomAttribute(name: "project"))
        var set = AttributeSet()
        set[.title] = .plain(.string("Report"))
        set[.title] = .plain(.null)
        set[custom.field] = .plain(.null)
        #expect(set[.title] == nil && set[custom.field] == .plain(.null) && set.entries.count == 1)
        let item = try Item(
            ItemName(app: "a", index: "i", identifier: "1"),
            Write.Content(
                scope: .items(app: "a", index: "i"),
                fields: Fields { fields in fields.field(32) { $0.null() } }))
        #expect(item.attributes.entries.isEmpty && item.unknown.isEmpty)
    }

    @Test func `keep values of a wrong type`() throws {
        let custom = try #require(CustomAttribute(name: "project"))
        var set = AttributeSet()
        set[.title] = .plain(.integer(1))
        set[.pageCount] = .plain(.integer(1))
        set[.keywords] = .plain(.string("one"))
        set[.subject] = .sealed(SealedValue(key: SealKeyIdentifier(high: 1, low: 2), box: [1]))
        set[custom.field] = .plain(.uuid([UInt8](repeating: 1, count: 16)))
        set[.number(300)] = .unknown([0xf6])
        let item = Item(attributes: set)
        let name = ItemName(app: "a", index: "i", identifier: "1")
        #expect(try Item(name, item.content(name)).attributes == set)
    }

    @Test func `give access to a value unless it is sealed`() {
        var set = AttributeSet()
        set[.title] = .plain(.string("Report"))
        set[.subject] = .sealed(SealedValue(key: SealKeyIdentifier(high: 1, low: 2), box: []))
        #expect(set.value(.title) == .string("Report"))
        #expect(set.value(.subject) == nil && set.value(.dueDate) == nil)
    }

    @Test func `are changed only in the attributes that an update has`() {
        var (set, change) = (AttributeSet(), AttributeSet())
        set[.title] = .plain(.string("one"))
        set[.subject] = .plain(.string("stays"))
        change[.title] = .plain(.string("two"))
        change[.theme] = .plain(.string("new"))
        let changed = set.changed(by: change)
        let expected: [PropertyValue] = [.string("two"), .string("stays"), .string("new")]
        #expect([.title, .subject, .theme].map(changed.value) == expected)
    }
}
