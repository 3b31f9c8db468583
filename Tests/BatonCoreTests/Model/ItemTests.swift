import BatonCore
import Support
import Testing

@Suite struct `Items` {
    private let name = ItemName(app: "org.example", index: "main", identifier: "1")

    @Test(arguments: Seeds.first(20))
    func `survive encoding as a record`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let (name, item) = (generator.itemName(), generator.item())
            let content = item.content(name)
            let read = try Item(name, content)
            #expect(read == item)
            #expect(read.content(name) == content)
        }
    }

    @Test(arguments: ["", ".", "notes", "notes.work", "..a.", "é", ".\u{301}a", "items", "日本.語"])
    func `have the domain of their scope, byte for byte`(_ domain: String) throws {
        let content = Item(domain: domain).content(name)
        let read = try Item(name, content).domain
        #expect(read.map { Array($0.utf8) } == Array(domain.utf8))
        #expect(content.scope.isWithin(.items(app: name.app, index: name.index)))
        #expect(content.fields.isEmpty)
    }

    @Test func `without a domain differ from items with an empty domain`() throws {
        #expect(try Item(name, Item().content(name)).domain == nil)
        #expect(Item().content(name) != Item(domain: "").content(name))
    }

    @Test(arguments: [
        Scope.none, .app("org.example"), Scope(["org.example", "items"]),
        .items(app: "org.other", index: "main"),
        .items(app: "org.example", index: "other"), .activities(app: "org.example", domain: "main"),
        Scope(["org.example", "item", "main"]),
    ])
    func `in a scope that is not their index's are refused`(_ scope: Scope) {
        #expect(throws: CBORError.self) { try Item(name, Write.Content(scope: scope, fields: Fields())) }
    }

    @Test(
        arguments: [
            (0, "f6"), (0, "6161"), (0, "c1f93c00"), (1, "f6"), (1, "fb3ff199999999999a"), (32, "d9ffff01"),
            (34, "c201"), (41, "1bffffffffffffffff"), (92, "c101"), (36, "d8254101"), (51, "d90102820201"),
            (2, "f6"), (2, "4101"), (3, "816161"), (3, "8201f6"),
        ] as [(UInt64, String)])
    func `with a malformed known field are refused`(_ number: UInt64, _ form: String) throws {
        var fields = Item(indexed: WallTime(milliseconds: 1)).fields
        fields[.number(number)] = [UInt8](hex: form)
        let content = Write.Content(scope: .items(app: name.app, index: name.index), fields: fields)
        #expect(throws: CBORError.self) { try Item(name, content) }
        fields[.number(number)] = nil
        fields[.number(4)] = [UInt8](hex: form)
        fields[.number(31)] = [UInt8](hex: form)
        fields[.number(300)] = [UInt8](hex: form)
        let newer = Write.Content(scope: content.scope, fields: fields)
        #expect(try Item(name, newer).fields == fields, "of fields that are not known any form is kept")
    }

    @Test func `expire at their expiration and not before`() {
        var item = Item()
        #expect(!record(of: item).isExpired(at: WallTime(milliseconds: .max)))
        item.expiration = WallTime(milliseconds: 1000)
        #expect(!record(of: item).isExpired(at: WallTime(milliseconds: 999)))
        #expect(record(of: item).isExpired(at: WallTime(milliseconds: 1000)))
    }

    /// Returns the record of an item that was written once.
    private func record(of item: Item) -> Record {
        let life = Life(high: 1, low: 1)
        let write = Write(
            dot: Dot(origin: Origin(life: life, lane: .index), sequence: 1), key: name.key,
            stamp: Stamp(time: HybridTime(value: 1), life: life), action: .full(item.content(name)))
        return Record(merging: [write])
    }
}

@Suite struct `Updates of items` {
    private let name = ItemName(app: "org.example", index: "main", identifier: "1")

    @Test(arguments: Seeds.first(20))
    func `have the same effect as a partial write and as a full write`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<30 {
            let (item, update) = (generator.item(), generator.update())
            let whole = Write.told(name.key, at: 1, .full(item.content(name)))
            let action = update.action(on: item, name, of: whole.stamp)
            guard case .partial(of: whole.stamp, update.fields) = action else {
                Issue.record("an update that stays in its domain is a partial write")
                return
            }
            let record = Record(merging: [whole, .told(name.key, at: 2, action)])
            let content = Write.Content(scope: item.content(name).scope, fields: try #require(record.fields))
            #expect(try Item(name, content) == update.applied(to: item))
        }
    }

    @Test(arguments: Seeds.first(20))
    func `survive encoding as fields`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<30 {
            let fields = generator.update().fields
            #expect(try Item.Update(domain: nil, fields).fields == fields)
        }
    }

    @Test(
        arguments: [
            (nil, nil, false), ("a", nil, false), ("a", "a", false), (nil, "a", true), (nil, "", true),
            ("a", "a.b", true), ("é", "e\u{301}", true),
        ] as [(String?, String?, Bool)])
    func `that move the item are written in full`(_ from: String?, _ to: String?, _ isFull: Bool) throws {
        var generator = SeededGenerator(seed: 1)
        var (item, update) = (generator.item(), generator.update())
        (item.domain, update.domain) = (from, to)
        #expect(update.changesDomain(of: item) == isFull)
        let action = update.action(on: item, name, of: .told(1))
        guard isFull else {
            #expect(action == .partial(of: .told(1), update.fields))
            return
        }
        guard case .full(let content) = action else {
            Issue.record("the item must be written in full")
            return
        }
        let moved = try Item(name, content)
        #expect(moved == update.applied(to: item) && moved.unknown == item.unknown)
        #expect(moved.domain.map { Array($0.utf8) } == to.map { Array($0.utf8) })
    }

    @Test func `remove system and custom attributes, except those that they also set`() throws {
        let custom = try #require(CustomAttribute(name: "project"))
        var item = Item()
        for attribute in [Attribute.title, .subject] { item.attributes[attribute] = .plain(.string("one")) }
        item.attributes[custom.field] = .plain(.string("one"))
        var update = Item.Update()
        update.removed = [
            .number(32), .number(75), custom.field, .number(0), .part(1, DeviceIdentifier(high: 1, low: 1)),
        ]
        update.attributes[.title] = .plain(.string("two"))
        let expected: [FieldName] = [.number(32), .number(75), custom.field]
        #expect(update.fields.map(\.name) == expected, "only attributes can be taken away")
        let applied = update.applied(to: item)
        #expect(applied.attributes.value(.title) == .string("two") && applied.attributes[.subject] == nil)
        #expect(applied.attributes[custom.field] == nil)
    }
}
