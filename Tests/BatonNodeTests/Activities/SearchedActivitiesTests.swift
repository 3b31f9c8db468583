import BatonCore
import BatonNode
import Support
import Testing

/// Searches that find activities, on the device where they go on or went on and on another one.
@Suite struct `Searching activities on nodes` {
    private static func end(
        _ title: String, _ eligibility: Eligibility, on node: RunningNode, app name: String = "org.example"
    ) throws -> ActivitySummary {
        var app = try ActedApp(node, app: name)
        try app.start(title) { $0.eligibility = eligibility }
        return try app.finish()
    }

    private static func titles(_ text: String, on node: RunningNode) throws -> [String] {
        try node.ask(SearchItems(text, most: 20)).get().results.compactMap(\.thing.title).sorted()
    }

    @Test func `hand-off and search eligibility decide where an ended activity is found and kept`() throws {
        var nodes = try ConnectedNodes(["laptop", "desktop"])
        for (title, eligibility) in [
            ("found everywhere", Eligibility([.handoff, .search])), ("found nowhere", .handoff),
            ("found here", .search), ("found never", []),
        ] {
            _ = try Self.end(title, eligibility, on: nodes[0])
        }
        let here = ["found everywhere", "found here"]
        #expect(try Self.titles("found", on: nodes[0]) == here)
        try nodes.await(["found everywhere", "found nowhere"], on: 1, .finished)
        #expect(try Self.titles("found", on: nodes[1]) == ["found everywhere"])
        try nodes.await(["found everywhere", "found nowhere", "found here"], on: 0, .finished)

        let results = try nodes[0].ask(SearchItems("found", most: 20)).get().results
        #expect(results.allSatisfy { $0.devices.map(\.name) == ["laptop"] && $0.devices[0].isHere })
        #expect(Set(results.compactMap { $0.thing.activity?.isHere }) == [false, true])
        let elsewhere = try nodes[1].ask(SearchItems("found", most: 20)).get().results
        #expect(elsewhere.first?.devices.map(\.name) == ["laptop"])

        try nodes.restart(0)
        #expect(try Self.titles("found", on: nodes[0]) == here)
        #expect(try Self.titles("found", on: nodes[1]) == ["found everywhere"])
    }

    @Test func `a current activity is found on its own device, and its result continues it`() throws {
        let nodes = try ConnectedNodes(["laptop", "desktop"])
        var app = try ActedApp(nodes[0])
        try app.start("tea time") { $0.eligibility = [.handoff, .search] }
        try app.start("tea leaves", instance: "2") { $0.eligibility = .handoff }
        #expect(try Self.titles("tea", on: nodes[0]) == ["tea time"])
        try nodes.await(["tea time", "tea leaves"], on: 1)
        #expect(try Self.titles("tea", on: nodes[1]).isEmpty, "it is listed there")
        let found = try #require(
            try nodes[0].ask(SearchItems("tea", most: 5)).get().results.first?.thing.activity)
        #expect(!found.isHere)
        let continued = try nodes[0].ask(ContinueActivity(.named(found.identifier), step: .fetch)).get()
        #expect(continued.summary.activity.title == "tea time" && continued.source != .finished)

        try app.update("coffee break")
        #expect(try Self.titles("tea", on: nodes[0]).isEmpty)
        #expect(try Self.titles("coffee", on: nodes[0]) == ["coffee break"])
        let listed = try nodes[0].list().first { $0.activity.title == "coffee break" }
        let identifier = try #require(listed?.identifier)
        _ = try nodes[0].ask(ForgetActivity(identifier, everywhere: false)).get()
        #expect(try Self.titles("coffee", on: nodes[0]).isEmpty, "it is hidden here")
        _ = try nodes[0].ask(UnforgetActivity(identifier)).get()
        try app.finish()
        #expect(try Self.titles("coffee", on: nodes[0]) == ["coffee break"])
        try eventually("its end on the other device") {
            try Self.titles("coffee", on: nodes[1]) == ["coffee break"]
        }
    }

    @Test func `an activity kept only on its device can be continued, hidden and deleted there`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        _ = try Self.end("red one", .search, on: node)
        _ = try Self.end("red two", .search, on: node)
        let results = try node.ask(SearchItems("red", most: 5)).get().results
        let identifiers = Dictionary(
            uniqueKeysWithValues: results.compactMap { result in
                result.thing.activity.map { ($0.title ?? "", $0.identifier) }
            })
        let one = try #require(identifiers["red one"])
        let continued = try node.ask(ContinueActivity(.named(one))).get()
        #expect(continued.summary.activity.title == "red one" && continued.source == .finished)
        #expect(continued.summary.isPrivate)
        _ = try node.ask(ForgetActivity(one, everywhere: false)).get()
        #expect(try Self.titles("red", on: node) == ["red two"])
        #expect(try Self.explanation(of: one, on: node) == .hidden)
        _ = try node.ask(UnforgetActivity(one)).get()
        #expect(try Self.titles("red", on: node) == ["red one", "red two"])
        _ = try node.ask(ForgetActivity(one, everywhere: true)).get()
        #expect(try Self.titles("red", on: node) == ["red two"])
        _ = try node.ask(DeleteSavedActivities(app: "org.example", identifiers: nil)).get()
        #expect(try Self.titles("red", on: node).isEmpty)
        #expect(try node.ask(ListActivities(.finished)).get().activities.isEmpty)
    }

    @Test func `an opened activity is ranked first until it is forgotten, whichever device opened it`()
        throws
    {
        var nodes = try ConnectedNodes(["laptop", "desktop"])
        for title in ["tea one", "tea two"] { _ = try Self.end(title, [.handoff, .search], on: nodes[0]) }
        for title in ["tea three", "tea four"] { _ = try Self.end(title, .search, on: nodes[0]) }
        try nodes.await(["tea one", "tea two"], on: 1, .finished)
        func titles(_ place: Int) throws -> [String] {
            try nodes[place].ask(SearchItems("tea", most: 20)).get().results.compactMap(\.thing.title)
        }
        func identifier(_ title: String, _ place: Int) throws -> String {
            let results = try nodes[place].ask(SearchItems(title, most: 1)).get().results
            return try #require(results.first?.thing.activity?.identifier)
        }
        for (title, place) in [("tea one", 1), ("tea three", 0)] {
            let counted = try nodes[place].ask(CountActivityOpening(identifier(title, place))).get()
            #expect(counted.passedOver == 0)
        }
        try eventually("the opening on the other device") { try titles(0).prefix(2).contains("tea one") }
        #expect(try Set(titles(0).prefix(2)) == ["tea one", "tea three"])
        #expect(try titles(1).first == "tea one")
        #expect(try nodes[0].ask(CountActivityOpening("zzzz")).get().passedOver == 1)
        let one = try identifier("tea one", 0)
        _ = try nodes[0].ask(ForgetActivity(one, everywhere: true)).get()
        let path = nodes[0].home.account() + "/index.sqlite"
        let count = {
            try SQLiteScript.number(
                "SELECT count(*) FROM records WHERE kind = \(RecordKind.engagement.rawValue) AND name NOT NULL",
                on: path)
        }
        try eventually("the end of the count") { try count() == 0 }
        try nodes.restart(0)
        #expect(try titles(0).first == "tea three")
    }

    @Test func `a saved activity whose identifier its app deletes is no longer found`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        var app = try ActedApp(node)
        try app.start("red") {
            ($0.eligibility, $0.persistentIdentifier) = (.search, "7")
        }
        try app.finish()
        #expect(try Self.titles("red", on: node) == ["red"])
        _ = try node.ask(DeleteSavedActivities(app: "org.example", identifiers: ["7"])).get()
        #expect(try Self.titles("red", on: node).isEmpty)
    }

    @Test func `an activity kept only on its device is erased from its disk after it has expired`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        var app = try ActedApp(node)
        let expiration = presentTime.advanced(by: .milliseconds(700))
        try app.start("red") { ($0.eligibility, $0.expiration) = (.search, expiration) }
        try app.finish()
        try app.start("red for long", instance: "2") { $0.eligibility = .search }
        try app.finish(instance: "2")
        let path = node.home.account() + "/activities.sqlite"
        let count = {
            try SQLiteScript.number(
                "SELECT count(*) FROM notes WHERE space = \(NoteSpace.keptActivity.rawValue)", on: path)
        }
        #expect(try count() == 2 || presentTime >= expiration)
        try eventually("the end of the note") { try count() == 1 }
        #expect(presentTime >= expiration)
        #expect(try Self.titles("red", on: node) == ["red for long"])
    }

    private static func explanation(
        of identifier: String, on node: RunningNode
    ) throws -> SearchExplanation.Outcome? {
        try node.ask(ExplainActivity(identifier)).get().explanations.first?.outcome
    }

    @Test func `an explanation says whether a current activity is ineligible, shown or private`()
        throws
    {
        let node = try RunningNode.first(try TemporaryFolder())
        var app = try ActedApp(node)
        let plain = try app.start("plain")
        #expect(try Self.explanation(of: plain.identifier, on: node) == .ineligible)
        let eligible = try app.start("eligible", instance: "2") { $0.eligibility = [.handoff, .search] }
        #expect(try Self.explanation(of: eligible.identifier, on: node) == .shown)
        _ = try node.ask(ChangeSetting("private", to: 1)).get()
        #expect(try Self.explanation(of: eligible.identifier, on: node) == .isPrivate)
        #expect(try Self.explanation(of: "zzzz", on: node) == .unknown)
    }

    @Test func `turning an app's search and hand-off off affects this machine only`() throws {
        var nodes = try ConnectedNodes(["laptop", "desktop"])
        _ = try Self.end("red one", [.handoff, .search], on: nodes[0], app: "org.example.a")
        var app = try ActedApp(nodes[0], app: "org.example.a")
        try app.start("going on", instance: "2") { $0.eligibility = [.handoff, .search] }
        let index = ClientStateName(app: "org.example.a", index: "default")
        var item = Item()
        item.attributes[.title] = .plain(.string("red item"))
        _ = try nodes[0].ask(ChangeIndex(index, [.item("1", item)])).get()
        try eventually("the item") { try Self.titles("red", on: nodes[1]) == ["red item", "red one"] }
        try nodes.await(["going on"], on: 1)

        var settings = try nodes[0].ask(ChangeSetting("search org.example.a", to: 0)).get()
        #expect(
            settings.isOff(.search, for: "org.example.a") && !settings.isOff(.handoff, for: "org.example.a"))
        #expect(try Self.titles("red", on: nodes[0]).isEmpty)
        #expect(try Self.titles("red", on: nodes[1]) == ["red item", "red one"])
        let explained = try nodes[0].ask(ExplainItem(app: "org.example.a", "1")).get().explanations
        #expect(explained.map(\.outcome) == [.appOff])

        _ = try nodes[0].ask(ChangeSetting("handoff org.example.a", to: 0)).get()
        try nodes.await([], on: 1)
        try nodes.await(["going on"], on: 0)
        try nodes.restart(0)
        #expect(try Self.titles("red", on: nodes[0]).isEmpty)
        try nodes.await([], on: 1)
        _ = try Self.end("red two", [.handoff, .search], on: nodes[0], app: "org.example.a")
        settings = try nodes[0].ask(ChangeSetting("search org.example.a", to: 1)).get()
        #expect(settings.switchedApps == ["org.example.a"])
        #expect(try Self.titles("red", on: nodes[0]) == ["red item", "red one", "red two"])
        _ = try nodes[0].ask(ChangeSetting("handoff org.example.a", to: nil)).get()
        try nodes.await(["going on"], on: 1)
        #expect(try Self.titles("red", on: nodes[1]) == ["red item", "red one"], "it ended while off")
        for (name, value) in [("search ", 0), ("paint a", 0), ("search a", 2)] {
            #expect(try !nodes[0].ask(ChangeSetting(name, to: Int64(value))).isSuccess, "\(name)")
        }
    }
}
