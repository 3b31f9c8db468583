import BatonCore
import BatonSecurity
import Support
import Testing

@testable import BatonNode

/// Sealing the changes of protected indexes, and opening what is stored.
@Suite struct `The sealing of items` {
    private static let index = ClientStateName(
        app: "org.example.notes", index: IndexProtection.complete.name(of: "main"))
    private let sealing: ItemSealing

    init() throws { sealing = ItemSealing(with: try ContentKey(secret: SecretBytes.random(count: 32))) }

    private func name(_ identifier: String) -> ItemName {
        ItemName(app: Self.index.app, index: Self.index.index, identifier: identifier)
    }

    /// Returns the sealed item of a change, and the name under which it is stored.
    private func sealed(_ item: Item, as identifier: String) throws -> (name: ItemName, item: Item) {
        guard case .item(let hash, let sealed) = try sealing.seal(.item(identifier, item), of: Self.index)
        else {
            throw LocalFailure(.failed, "the change is no item")
        }
        return (name(hash), sealed)
    }

    private func opened(_ item: Item, _ name: ItemName) throws -> Item {
        try Item(name, try sealing.opened(item.content(name), of: name))
    }

    @Test func `the name of a protected index keeps its bare name and its protection`() {
        for protection in IndexProtection.allCases {
            let name = protection.name(of: "a name")
            #expect(IndexProtection(ofIndex: name) == protection)
            #expect(IndexProtection.bareName(of: name) == "a name")
            #expect(IndexProtection.shownName(of: name) == "a name (protected)")
        }
        for name in ["", "main", "complete", "main\u{1f}", "main\u{1f}other"] {
            #expect(IndexProtection(ofIndex: name) == nil && IndexProtection.bareName(of: name) == name)
        }
    }

    @Test(arguments: Seeds.first(50)) func `an item is opened as it was sealed, and its sealed form hides it`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var item = generator.item()
        item.attributes[.title] = .plain(.string("zanzibar heron"))
        let identifier = "zanzibar \(seed)"
        let (name, sealed) = try sealed(item, as: identifier)
        #expect(sealing.storedName(of: self.name(identifier)) == name)
        #expect(sealed.attributes.entries.isEmpty && sealed.unknown.isEmpty)
        #expect((sealed.expiration, sealed.indexed) == (item.expiration, item.indexed))
        #expect(
            sealed.domain?.split(separator: ".", omittingEmptySubsequences: false).count
                == item.domain.map { Scope.parts($0).count })
        let bytes = sealed.content(name).fields.encoded + name.key.name + sealed.content(name).scope.encoded
        #expect(!String(decoding: bytes, as: UTF8.self).contains("zanzibar"))

        var expected = item
        (expected.domain, expected.givenName) = (
            sealed.domain, .opened(Item.GivenName(identifier: identifier, domain: item.domain))
        )
        #expect(try opened(sealed, name) == expected)
        let found = FoundItem(name, try sealing.shown(sealed.content(name), of: name))
        #expect((found.identifier, found.domain, found.name) == (identifier, item.domain, name))
    }

    @Test(arguments: Seeds.first(100))
    func `an update of a sealed item has the effect that it has on the item`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let item = generator.item()
        var update = generator.update()
        if generator.chance(30) { update.domain = generator.domain() }
        for name in ["org_example_mine", "org_example_other"] where generator.chance(50) {
            let field = FieldName.custom(Array(name.utf8))
            if generator.chance(50) {
                update.removed.insert(field)
            } else {
                update.attributes[field] = .plain(.string(name))
            }
        }
        let (name, sealed) = try sealed(item, as: "x")
        let change = IndexChange.update("x", domain: update.domain, update.fields)
        guard case .update(let hash, let domain, let fields) = try sealing.seal(change, of: Self.index) else {
            throw LocalFailure(.failed, "the change is no update")
        }
        #expect(hash == name.identifier)
        #expect(!String(decoding: fields.encoded, as: UTF8.self).contains("org_example"))
        let both = try Item.Update(domain: domain, fields).applied(to: sealed)
        let opened = try opened(both, name)

        let expected = try Item.Update(domain: update.domain, update.fields).applied(to: item)
        #expect(opened.attributes == expected.attributes)
        #expect((opened.expiration, opened.indexed) == (expected.expiration, expected.indexed))
        #expect(opened.givenName == .opened(Item.GivenName(identifier: "x", domain: expected.domain)))

        // A copy of the opened item takes the opened update to the same item.
        let partial = sealing.opened(
            .told(name.key, at: 2, .partial(of: Stamp.told(1), fields))
        ) { _, error in Issue.record("\(error)") }
        guard case .partial(_, let openedFields) = partial.action else {
            throw LocalFailure(.failed, "the write is no update")
        }
        let copied = try Item.Update(domain: domain, openedFields).applied(to: try self.opened(sealed, name))
        #expect(copied == opened)
    }

    @Test func `a changed byte is noticed, and names the item`() throws {
        let (name, sealed) = try sealed(Item(domain: "a.b"), as: "x")
        let box = try #require(sealed.sealed)
        var damaged = sealed
        for place in box.box.indices {
            var bytes = box.box
            bytes[place] ^= 1
            damaged.sealed = SealedValue(key: box.key, box: bytes)
            #expect(throws: (any Error).self) { try opened(damaged, name) }
        }
        let other = sealing.storedName(of: self.name("y"))
        #expect(throws: (any Error).self) { try opened(sealed, other) }
        var names: [ItemName] = []
        let write = Write.told(name.key, at: 1, .full(damaged.content(name)))
        #expect(sealing.opened(write) { name, _ in names.append(name) } == write)
        #expect(names == [name])
        #expect(throws: LocalFailure.self) { try sealing.shown(damaged.content(name), of: name) }
    }

    @Test func `the hashes of a domain lie within those of the domains around it`() throws {
        func domain(_ domain: String?) throws -> String? {
            guard case .clear(let hashed) = try sealing.seal(.clear(domain: domain), of: Self.index) else {
                return nil
            }
            return hashed
        }
        #expect(try domain(nil) == nil)
        let (outer, inner) = (try #require(try domain("mail")), try #require(try domain("mail.inbox")))
        #expect(inner.hasPrefix(outer + ".") && !outer.contains("mail"))
        let twin = try #require(try domain("inbox.mail"))
        #expect(Set(twin.split(separator: ".")).isDisjoint(with: inner.split(separator: ".")))
    }

    @Test func `names are the hashes that another program has computed`() throws {
        // They were computed by hashlib of Python.
        let sealing = ItemSealing(with: try ContentKey(secret: SecretBytes(copying: Array(0..<32))))
        #expect(sealing.storedName(of: name("heron 7")).identifier == "38zcyj9g526xb60trkffjpp6b4")
        guard case .clear(let domain) = try sealing.seal(.clear(domain: "mail.inbox"), of: Self.index) else {
            throw LocalFailure(.failed, "the change is no clear")
        }
        #expect(domain == "fjmbmce2cpw2we4tjcjtmp3crm.kzveqq487vh2ctvegx4kteyzxc")
    }

    @Test func `the changes of other indexes stay as they are`() throws {
        let plain = ClientStateName(app: "org.example.notes", index: "main")
        let change = IndexChange.item("x", Item(domain: "a"))
        guard case .item("x", Item(domain: "a")) = try sealing.seal(change, of: plain) else {
            throw LocalFailure(.failed, "the change is another one")
        }
        let name = ItemName(app: plain.app, index: plain.index, identifier: "x")
        #expect(sealing.storedName(of: name) == name)
    }
}
