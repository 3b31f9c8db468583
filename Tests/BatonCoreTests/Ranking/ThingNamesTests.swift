import BatonCore
import Support
import Testing

/// Names as items and activities have them.
private enum Names {
    static func item(_ app: String, _ identifier: String, _ address: String? = nil) -> ThingNames {
        var item = Item()
        if let address { item.attributes[.contentURL] = .plain(.url(address)) }
        let name = ItemName(app: app, index: "main", identifier: identifier)
        return ThingNames(name, item.content(name).fields)
    }

    static func activity(
        _ app: String, _ identifier: String? = nil, about item: String? = nil,
        page address: String? = nil,
        content: String? = nil
    ) -> ThingNames {
        var activity = Activity(type: "t", started: WallTime(milliseconds: 0))
        (activity.persistentIdentifier, activity.webpage) = (identifier, address)
        if let item { activity.attributes[.relatedUniqueIdentifier] = .plain(.string(item)) }
        if let content { activity.attributes[.contentURL] = .plain(.url(content)) }
        return ThingNames(activity.savedName(by: app), activity)
    }
}

@Suite struct `Results about the same thing` {
    private static let page = "https://example.org/7"

    @Test func `an activity joins the item of its app that it names, whatever its web address`() {
        let all = [
            Names.item("a", "7"), Names.activity("a", "x", about: "7", page: Self.page), Names.item("b", "7"),
            Names.activity("a", "y", about: "8", page: Self.page), Names.activity("a", "z", about: "7"),
        ]
        #expect(ThingNames.groups(all) == [[0, 1, 4], [2], [3]])
    }

    @Test func `things of different apps with the same web address are joined`() {
        let all = [
            Names.activity("browser", page: Self.page), Names.item("notes", "7", Self.page),
            Names.activity("mail", "m", content: Self.page), Names.item("notes", "8", Self.page + "#2"),
            Names.activity("browser", page: Self.page),
        ]
        #expect(ThingNames.groups(all) == [[0, 1, 2, 4], [3]])
    }

    @Test func `two items of one app stay separate, even with the same web address`() {
        let all = [
            Names.item("a", "1", Self.page), Names.item("a", "2", Self.page),
            Names.activity("b", page: Self.page),
        ]
        #expect(ThingNames.groups(all) == [[0, 2], [1]])
    }

    @Test func `two activities with different identifiers are two things`() {
        let all = [Names.activity("a", "1", page: Self.page), Names.activity("a", "2", page: Self.page)]
        #expect(ThingNames.groups(all) == [[0], [1]])
        let related = [Names.activity("a", "1", about: "7"), Names.activity("a", "2", about: "7")]
        #expect(ThingNames.groups(related) == [[0, 1]], "unless both name one item")
    }

    @Test func `canonically equivalent or missing names join nothing`() {
        let all = [
            Names.item("a", "\u{e9}"), Names.activity("a", nil, about: "e\u{301}"), Names.activity("a"),
            Names.activity("a", page: ""), Names.activity("b", page: ""),
        ]
        #expect(ThingNames.groups(Array(all[0..<3])) == [[0], [1], [2]])
    }

    /// A thing as a test draws it.
    private struct Drawn {
        let app: String, item: String?, address: String?, isItem: Bool

        init(_ generator: inout SeededGenerator) {
            (app, isItem) = (generator.pick(["a", "b"]), generator.chance(50))
            item = isItem || generator.chance(50) ? generator.pick(["1", "2", "3"]) : nil
            address = generator.chance(60) ? generator.pick(["x:1", "x:2", "x:3"]) : nil
        }

        var names: ThingNames {
            isItem
                ? Names.item(app, item ?? "", address) : Names.activity(app, about: item, page: address)
        }
    }

    @Test(arguments: Seeds.first(200))
    func `groups contain exactly the results that share a name, in the order of their best results`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        let drawn = (0..<generator.number(0...12)).map { _ in Drawn(&generator) }
        let groups = ThingNames.groups(drawn.map(\.names))
        #expect(groups.flatMap(\.self).sorted() == Array(drawn.indices), "each once")
        #expect(groups.map { $0[0] } == groups.map { $0[0] }.sorted(), "in the order of the best ones")
        for group in groups {
            #expect(group == group.sorted())
            for app in ["a", "b"] {
                let members = group.map { drawn[$0] }.filter { $0.app == app }
                #expect(members.count(where: \.isItem) <= 1, "an app has one item for a thing")
                #expect(Set(members.compactMap(\.item)).count <= 1)
            }
            for member in group.dropFirst() {
                let thing = drawn[member]
                let shares = group.filter { $0 < member }.map { drawn[$0] }.contains { other in
                    thing.app == other.app && thing.item != nil && thing.item == other.item
                        || thing.address != nil && thing.address == other.address
                }
                #expect(shares, "every member has something in common with an earlier one")
            }
        }
        // An item and an activity that names it are never apart, if both could be in one group.
        for (place, thing) in drawn.enumerated() where !thing.isItem && thing.item != nil {
            let items = drawn.indices.filter {
                drawn[$0].isItem && drawn[$0].app == thing.app && drawn[$0].item == thing.item
            }
            guard items.count == 1, thing.address == nil, drawn[items[0]].address == nil else { continue }
            let group = groups.first { $0.contains(place) } ?? []
            let alone = drawn.indices.filter { drawn[$0].app == thing.app && drawn[$0].item == thing.item }
            guard alone.allSatisfy({ drawn[$0].address == nil }) else { continue }
            #expect(group.contains(items[0]))
        }
        for count in drawn.indices {
            let some = ThingNames.groups(drawn.prefix(count).map(\.names))
            let cut = groups.map { $0.filter { $0 < count } }.filter { !$0.isEmpty }
            #expect(some == cut, "\(count) of \(drawn.count)")
        }
    }
}
