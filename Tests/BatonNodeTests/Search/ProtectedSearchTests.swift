import BatonCore
import BatonNode
import Foundation
import Support
import Testing

/// Searching protected indexes through a node's socket.
@Suite struct `Searching protected indexes` {
    private static let plain = ClientStateName(app: "org.example.plain", index: "main")
    private static let sealed = ClientStateName(
        app: "org.example.sealed", index: IndexProtection.complete.name(of: "main"))
    private static let mood = FieldName.custom(Array("org_example_mood".utf8))
    private static let present = PresentTime(WallTime(milliseconds: 1_000_000_000)) { _ in 0 }

    /// The items of an app that a search finds: identifier, domain and title, by identifier.
    private func found(
        _ words: String? = nil, _ query: String? = nil, of app: String, on node: RunningNode
    ) throws -> [[String?]] {
        let filter = SearchFilter(app: app, kind: .item)
        let call = BeginSearch(
            1, words: words.map { SearchItems($0, most: 1000, filter: filter) },
            query: query.map { QueryItems($0, filter: filter, most: 1000, at: Self.present) },
            order: .best, pageMost: 7)
        var app = try ActedApp(node)
        var page = try app.ask(call).get()
        var results = page.results
        while !page.isLast {
            page = try app.ask(NextPage(1)).get()
            results += page.results
        }
        return results.compactMap(\.thing.item).map { [$0.identifier, $0.domain, $0.title] }
            .sorted { ($0[0] ?? "") < ($1[0] ?? "") }
    }

    /// Draws changes as an app makes them, with a small number of identifiers, domains and words.
    private func changes(_ generator: inout SeededGenerator) -> [IndexChange] {
        let domains = ["mail", "mail.inbox", "mail.sent", "notes", "mailbox"]
        let words = ["report", "repair", "annual", "letter", "zebra"]
        let count = generator.number(1...12)
        return (0..<count).map { _ in
            let identifier = "item \(generator.number(1...20))"
            var attributes = AttributeSet()
            attributes[.title] = .plain(.string("\(generator.pick(words)) \(generator.pick(words))"))
            attributes[.pageCount] = .plain(.integer(Int64(generator.number(1...5))))
            attributes[Self.mood] = .plain(.string(generator.pick(words)))
            let domain = generator.chance(60) ? generator.pick(domains) : nil
            switch generator.number(0...9) {
            case 0...4: return .item(identifier, Item(domain: domain, attributes: attributes))
            case 5...6:
                var update = Item.Update()
                update.attributes[.title] = attributes[.title]
                if generator.chance(30) { update.removed = [.number(Attribute.pageCount.number), Self.mood] }
                if generator.chance(30) { update.domain = generator.pick(domains) }
                return .update(identifier, domain: update.domain, update.fields)
            case 7...8: return .deletion(identifier)
            default: return .clear(domain: generator.chance(90) ? generator.pick(domains) : nil)
            }
        }
    }

    @Test(arguments: Seeds.first(8)) func `a protected index answers as an index with the same changes does`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        var node = try RunningNode.first(folder, "first")
        let queries = [
            "*", #"title == "re*""#, #"pageCount >= 3"#, #"pageCount != 2"#, #"domainIdentifier == "mail*""#,
            #"domainIdentifier == "mail.inbox""#, #"domainIdentifier != "mail" && title == "*a*""#,
            #"org_example_mood == "zebra""#, #"org_example_mood != "zebra""#,
        ]
        for round in 1...6 {
            let changes = changes(&generator)
            let passedOver = try [Self.plain, Self.sealed].map {
                try node.ask(ChangeIndex($0, changes)).get().passedOver
            }
            #expect(passedOver[0] == passedOver[1], "round \(round)")
            if generator.chance(30) {
                node.stop()
                node = try RunningNode(folder, "first")
            }
            for query in queries {
                let (plain, sealed) = (
                    try found(nil, query, of: Self.plain.app, on: node),
                    try found(nil, query, of: Self.sealed.app, on: node)
                )
                #expect(plain == sealed, "round \(round), \(query)")
            }
            for words in ["report", "zebra rep", "an"] {
                #expect(
                    try found(words, of: Self.plain.app, on: node)
                        == found(words, of: Self.sealed.app, on: node), "round \(round), \(words)")
            }
        }
        let all = try found(nil, "*", of: Self.sealed.app, on: node)
        try node.admit("second")
        let second = try RunningNode(folder, "second")
        try eventually("the same items on the second device") {
            try found(nil, "*", of: Self.sealed.app, on: second) == all
        }
    }

    private func node(with count: Int, in folder: TemporaryFolder) throws -> RunningNode {
        let node = try RunningNode.first(folder, "first")
        let changes = (1...count).map { number in
            var attributes = AttributeSet()
            attributes[.title] = .plain(.string("Zanzibar \(number)"))
            return IndexChange.item(
                "heron \(number)", Item(domain: "birds.\(number)", attributes: attributes))
        }
        _ = try node.ask(ChangeIndex(Self.sealed, changes)).get()
        return node
    }

    @Test func `an item is found by its name and opened, and a search names its protection`() throws {
        let node = try node(with: 3, in: try TemporaryFolder())
        let name = ItemName(app: Self.sealed.app, index: Self.sealed.index, identifier: "heron 2")
        let item = try #require(try node.ask(FindItem(name)).get().results.first?.thing.item)
        #expect(item.title == "Zanzibar 2" && item.identifier == "heron 2" && item.domain == "birds.2")
        #expect(try node.ask(CountOpening(name)).get().passedOver == 0)
        let missing = ItemName(app: name.app, index: name.index, identifier: "heron 4")
        #expect(try node.ask(FindItem(missing)).get().results.isEmpty)
        #expect(try node.ask(CountOpening(missing)).get().passedOver == 1)
        let best = try node.ask(SearchItems("zanz", most: 1)).get().results.first
        #expect(best?.thing.item?.name == name && (best?.rank?.use ?? 0) > 1)
        #expect(
            try node.ask(ExplainItem(app: name.app, "heron 2", words: "zanzibar")).get().explanations.first?
                .outcome == .shown)

        func count(_ protections: Set<IndexProtection>?) throws -> Int {
            let filter = SearchFilter(app: Self.sealed.app, protections: protections)
            return try node.ask(SearchItems("zanzibar", most: 10, filter: filter)).get().results.count
        }
        #expect(try count(nil) == 3 && count([.complete]) == 3)
        #expect(try count([]) == 0 && count([.completeUnlessOpen]) == 0)
    }

    @Test func `the opened items are made anew if they are damaged or were removed`() throws {
        let folder = try TemporaryFolder()
        var node = try node(with: 40, in: folder)
        #expect(try found("zanzibar", of: Self.sealed.app, on: node).count == 40)
        let opened = node.home.account() + "/opened/index.sqlite"
        let content = try #require(FileManager.default.contents(atPath: opened))
        #expect(content.range(of: Data("anzibar".utf8)) == nil)
        node.stop()
        try FileDamage.flipPages(of: opened)
        node = try RunningNode(folder, "first")
        #expect(try found("zanzibar", of: Self.sealed.app, on: node).count == 40)
        #expect(node.lines.contains { $0.contains("made anew") })
        node.stop()
        try FileManager.default.removeItem(atPath: node.home.account() + "/opened")
        node = try RunningNode(folder, "first")
        #expect(try found("zanzibar", of: Self.sealed.app, on: node).count == 40)
    }
}
