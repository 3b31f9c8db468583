import BatonCore
import BatonNode
import Support
import Testing

/// The types of entities that apps describe, on nodes of one account.
@Suite struct `Types of entities of an account` {
    private static let app = "org.example.notes"
    /// The time at which states are compared.
    private static let noon = WallTime(milliseconds: 1_800_000_000_000)

    private static func type(
        _ name: String = "Note", title: String = "Note", of app: String = app
    ) -> EntityTypeDescription {
        EntityTypeDescription(
            EntityTypeName(app: app, type: name), title: title,
            properties: [EntityTypeDescription.Property("tags", kind: "text", attribute: "keywords")],
            appTitle: "Notes")
    }

    private static func types(_ node: RunningNode) throws -> [EntityTypeDescription] {
        try node.ask(ListEntityTypes()).get().types
    }

    private static func describe(_ types: EntityTypeDescription..., on node: RunningNode) throws {
        _ = try node.ask(DescribeEntityTypes(types)).get()
    }

    @Test func `a description reaches the other device, and the last one counts`() throws {
        let nodes = try ConnectedNodes(["laptop", "desktop"])
        try Self.describe(Self.type("Note"), Self.type("Book", title: "Book"), on: nodes[0])
        try eventually("the types on the other device") {
            try Self.types(nodes[1]) == [Self.type("Book", title: "Book"), Self.type("Note")]
        }
        try Self.describe(Self.type("Note", title: "Page"), on: nodes[1])
        try eventually("the new title") {
            try Self.types(nodes[0]) == [Self.type("Book", title: "Book"), Self.type("Note", title: "Page")]
        }
    }

    @Test func `the same description is not written again, on any device`() throws {
        let nodes = try ConnectedNodes(["laptop", "desktop"])
        try Self.describe(Self.type("Note"), on: nodes[0])
        try eventually("the type on the other device") { try Self.types(nodes[1]).count == 1 }
        // Once both devices have the same state, all that they write as they connect has arrived.
        let digests = try eventual("the same state on both devices") {
            let digests = try nodes.nodes.map { try $0.ask(GetDigest(at: Self.noon)).get() }
            return digests[0] == digests[1] ? digests : nil
        }
        for node in nodes.nodes {
            try Self.describe(Self.type("Note"), on: node)
            _ = try node.ask(DescribeEntityTypes([])).get()
        }
        #expect(try nodes.nodes.map { try $0.ask(GetDigest(at: Self.noon)).get() } == digests)
        try Self.describe(Self.type("Note", title: "Page"), on: nodes[0])
        #expect(try nodes[0].ask(GetDigest(at: Self.noon)).get() != digests[0], "another one is written")
    }

    @Test func `descriptions that are too large, too many or of several apps are refused whole`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        var large = Self.type("Large")
        large.title = String(repeating: "x", count: Limits.entityTypeBytes)
        var deep = Self.type("Deep")
        deep.appTitle = String(repeating: "x", count: Limits.entityTypeBytes)
        let long = Self.type(String(repeating: "x", count: RecordKey.nameBytes))
        let many = (0...Limits.appEntityTypes).map { Self.type("Type\($0)") }
        for types in [[Self.type("Note"), large], [deep], [long], many] {
            let failure = #expect(throws: LocalFailure.self) {
                try node.ask(DescribeEntityTypes(types)).get()
            }
            #expect(failure?.code == .tooLarge && failure?.text.contains("at most 200 types") == true)
        }
        for types in [
            [Self.type("Note"), Self.type("Mail", of: "org.example.mail")], [Self.type("")],
            [Self.type("Note", of: "")], [Self.type("Note"), Self.type("Note", title: "Page")],
        ] {
            let failure = #expect(throws: LocalFailure.self) {
                try node.ask(DescribeEntityTypes(types)).get()
            }
            #expect(failure?.code == .usage)
        }
        #expect(try Self.types(node).isEmpty)
        // An app can't exceed the limit in several calls either, and other apps have their own.
        _ = try node.ask(DescribeEntityTypes(Array(many.dropLast()))).get()
        let failure = #expect(throws: LocalFailure.self) {
            try node.ask(DescribeEntityTypes([Self.type("OneMore")])).get()
        }
        #expect(failure?.code == .tooLarge)
        try Self.describe(Self.type("Type7", title: "Other"), on: node)
        try Self.describe(Self.type("Mail", of: "org.example.mail"), on: node)
        #expect(try Self.types(node).count == Limits.appEntityTypes + 1)
    }

    @Test func `an app that is forgotten is forgotten everywhere, and can be described anew`() throws {
        let nodes = try ConnectedNodes(["laptop", "desktop"])
        try Self.describe(Self.type("Note"), Self.type("Book"), on: nodes[0])
        try Self.describe(Self.type("Mail", of: "org.example.mail"), on: nodes[0])
        try eventually("the types on the other device") { try Self.types(nodes[1]).count == 3 }
        let forget = ForgetEntityTypes(of: Self.app)
        _ = try nodes[1].ask(forget).get()
        for node in nodes.nodes {
            try eventually("only the type of the other app") {
                try Self.types(node) == [Self.type("Mail", of: "org.example.mail")]
            }
        }
        let digest = try nodes[1].ask(GetDigest(at: Self.noon)).get()
        _ = try nodes[1].ask(forget).get()
        #expect(try nodes[1].ask(GetDigest(at: Self.noon)).get() == digest, "there was nothing to forget")
        try Self.describe(Self.type("Note"), on: nodes[0])
        try eventually("the new description") { try Self.types(nodes[1]).count == 2 }
        #expect(throws: LocalFailure.self) { try nodes[0].ask(ForgetEntityTypes(of: "")).get() }
    }

    @Test func `a private device keeps its descriptions back, together with its items`() throws {
        let nodes = try ConnectedNodes(["laptop", "desktop"])
        _ = try nodes[0].ask(ChangeSetting(Setting.private.rawValue, to: 1))
        try Self.describe(Self.type("Secret"), on: nodes[0])
        // This description arrives over the session in which the private one would have been sent.
        try Self.describe(Self.type("Note"), on: nodes[1])
        try eventually("the type of the other device") { try Self.types(nodes[0]).count == 2 }
        #expect(try Self.types(nodes[1]) == [Self.type("Note")])
        _ = try nodes[0].ask(ChangeSetting(Setting.private.rawValue, to: nil))
        try eventually("the type that is no longer held back") { try Self.types(nodes[1]).count == 2 }
    }

    @Test func `an app that searches don't show is not listed, and one whose index is cleared is`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        try Self.describe(Self.type("Note"), on: node)
        let name = AppSwitchName(.search, of: Self.app).text
        _ = try node.ask(ChangeSetting(name, to: 0)).get()
        #expect(try Self.types(node).isEmpty)
        _ = try node.ask(ChangeSetting(name, to: nil)).get()
        let index = ClientStateName(app: Self.app, index: "default")
        _ = try node.ask(ChangeIndex(index, [.clear(domain: nil)])).get()
        #expect(try Self.types(node) == [Self.type("Note")])
    }
}
