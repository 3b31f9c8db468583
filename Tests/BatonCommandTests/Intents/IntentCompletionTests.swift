import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Support
import Testing

@Suite struct `Completions of intents` {
    private static func node() throws -> FakeNode {
        let node = try FakeNode { call in
            switch call {
            case is QueryItems:
                .reply(
                    SearchReply(
                        [
                            Example.drink("2", title: "Latte"), Example.drink("3", title: "Lemonade"),
                            Example.drink("4", title: "Lemonade"),
                        ], isWhole: true))
            case is ListEntityTypes: .reply(EntityTypesReply([Example.note]))
            case is ListFocuses:
                .reply(FocusesReply(FocusSettings([Focus("work", created: Example.now)])))
            default: nil
            }
        }
        try IntentManifestFile.write(Example.cafe(), in: try node.home)
        return node
    }

    /// The words that are offered after the typed ones.
    private static func words(_ node: FakeNode, _ typed: String...) -> [String] {
        let output = Typed(["complete", "--", typed[0], "--home", node.folder.path] + typed.dropFirst())
            .output
        return output.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != "\t" }) }
    }

    @Test func `apps, intents, parameters and values are offered in turn`() throws {
        let node = try Self.node()
        #expect(Self.words(node, "run", "") == ["org.example.cafe"])
        #expect(Self.words(node, "run", "cafe", "O") == ["OrderDrink", "OpenDrink", "OldOrder"])
        #expect(Self.words(node, "run", "cafe", "OrderDrink", "--") == ["--drink", "--size"])
        #expect(Self.words(node, "run", "cafe", "OrderDrink", "--size", "") == ["small", "large"])
        #expect(Self.words(node, "run", "cafe", "OrderDrink", "--size=l") == ["--size=large"])
        #expect(Self.words(node, "run", "cafe", "OrderDrink", "--size=large", "--") == ["--drink"])
    }

    @Test func `titles of entities are offered, and identifiers where titles are equal`() throws {
        let node = try Self.node()
        #expect(Self.words(node, "run", "cafe", "OrderDrink", "--drink", "La") == ["Latte"])
        #expect(Self.words(node, "open", "Dr") == ["Drink"])
        #expect(Self.words(node, "open", "Drink", "") == ["Latte", "3", "4"])
        let query = try #require(node.calls.compactMap { $0 as? QueryItems }.last)
        #expect(query.query.hasSuffix(#"(title == "*"cd)"#))
    }

    @Test func `types and properties are offered, also of apps that are on other machines only`() throws {
        let node = try Self.node()
        #expect(Self.words(node, "find", "") == ["Drink", "Note"])
        #expect(Self.words(node, "find", "Note", "--sort", "") == ["tags", "modified"])
        #expect(Self.words(node, "find", "Note", "--sort", "-m") == ["-modified"])
        #expect(Self.words(node, "find", "Note", "--sort=-m") == ["--sort=-modified"])
        #expect(Self.words(node, "find", "Drink", "--sort", "ra") == ["rating"])
        #expect(Self.words(node, "find", "Unknown", "--sort", "").isEmpty)
    }

    @Test func `phrases and focuses are offered`() throws {
        let node = try Self.node()
        #expect(Self.words(node, "do", "order").contains("order a latte"))
        #expect(Self.words(node, "focus", "w") == ["work"] && Self.words(node, "focus", "un") == ["unset"])
        #expect(Self.words(node, "focus", "set", "") == ["work"])
        #expect(Self.words(node, "focus", "set", "work", "") == ["org.example.cafe"])
        #expect(Self.words(node, "focus", "set", "work", "cafe", "") == ["ShowMenu"])
        #expect(Self.words(node, "focus", "set", "work", "cafe", "ShowMenu", "--s") == ["--size"])
    }
}
