import BatonCore
import BatonNode
import Foundation
import Support
import Testing

/// Suggestions of what the person is likely to want.
@Suite struct `Suggesting activities` {
    /// Begins an activity that may be suggested, and lets the node learn it.
    private static func visit(
        _ title: String, _ app: inout ActedApp, _ node: RunningNode,
        _ eligibility: Eligibility = [.handoff, .prediction]
    ) throws {
        try app.start(title) { change in
            (change.eligibility, change.persistentIdentifier) = (eligibility, title)
        }
        _ = try suggested(node)
    }

    /// Has an activity go on with another thing, as a shell does that goes to another folder.
    private static func go(to title: String, _ app: inout ActedApp, _ node: RunningNode) throws {
        var change = ActivityChange()
        (change.title, change.persistentIdentifier) = (title, title)
        (change.eligibility, change.replaces) = ([.handoff, .prediction], true)
        _ = try app.ask(UpdateActivity(.instance(app: app.app, instance: "1"), change)).get()
        _ = try suggested(node)
    }

    private static func suggested(_ node: RunningNode) throws -> SuggestedActivitiesReply {
        try node.ask(SuggestActivities(most: 10)).get()
    }

    private static func titles(_ node: RunningNode) throws -> [String] {
        try suggested(node).suggestions.map { $0.summary.activity.title ?? "" }
    }

    /// The number of uses in a node's database.
    private static func uses(_ node: RunningNode) throws -> Int {
        try SQLiteScript.number(
            "SELECT count(*) FROM notes WHERE space = 18", on: node.home.account() + "/activities.sqlite")
    }

    /// Waits until a node's database has so many uses: the commit of the last one may come after the answer of a read.
    private static func await(_ count: Int, on node: RunningNode) throws {
        try eventually("\(count) uses") { try uses(node) == count }
    }

    @Test func `used things are suggested with reasons, also after a restart`() throws {
        let folder = try TemporaryFolder()
        var node = try RunningNode.first(folder)
        #expect(try Self.suggested(node) == SuggestedActivitiesReply([], after: nil))
        do {
            var app = try ActedApp(node)
            for title in ["a", "b", "a", "b", "c", "a", "b", "a"] { try Self.visit(title, &app, node) }
            try Self.visit("never", &app, node, .handoff)
            try Self.visit("a", &app, node)
        }
        for _ in 0..<2 {
            let reply = try Self.suggested(node)
            #expect(reply.current == "a")
            #expect(reply.suggestions.map { $0.summary.activity.title } == ["b", "c"])
            #expect(reply.suggestions.first?.reasons.contains(.follows(times: 3, of: 3)) == true, "\(reply)")
            #expect(reply.suggestions.allSatisfy { !$0.reasons.isEmpty })
            #expect(try node.ask(SuggestActivities(most: 1)).get().suggestions.count == 1)
            try Self.await(8, on: node)
            node.stop()
            node = try RunningNode(folder)
        }
        let chosen = try #require(try Self.suggested(node).suggestions.first).summary
        let continued = try node.ask(ContinueActivity(.named(chosen.identifier), step: .fetch)).get()
        #expect(continued.summary.activity.title == "b" && continued.source == .finished)
        // It was continued here, so that is where the person is.
        #expect(try Self.suggested(node).current == "b")
        try Self.await(9, on: node)
    }

    @Test func `an activity's earlier thing is suggested here, but neither listed nor sent`() throws {
        let nodes = try ConnectedNodes(["laptop", "desktop"])
        var app = try ActedApp(nodes[0])
        try Self.visit("src", &app, nodes[0])
        for title in ["doc", "src", "tmp"] { try Self.go(to: title, &app, nodes[0]) }
        #expect(try Set(Self.titles(nodes[0])) == ["src", "doc"])
        #expect(try nodes[0].titles(.finished) == [])
        let left = try #require(
            try Self.suggested(nodes[0]).suggestions.first { $0.summary.activity.title == "doc" })
        #expect(left.summary.isPrivate && left.summary.activity.finished != nil)
        try nodes.await(["tmp"], on: 1)
        #expect(try nodes[1].titles(.finished) == [])
        #expect(try Self.titles(nodes[1]) == ["tmp"], "what goes on on the laptop")
        #expect(
            try nodes[0].ask(ContinueActivity(.named(left.summary.identifier))).get().source == .finished)
        // Its end is kept for all devices, in the place of what only this one kept.
        try Self.go(to: "doc", &app, nodes[0])
        try app.finish()
        try nodes.await(["doc"], on: 1, .finished)
        #expect(try nodes[0].titles(.finished) == ["doc"])
        // No search finds what is only suggested.
        #expect(try nodes[0].ask(SearchItems("src", most: 5)).get().results.isEmpty)
    }

    @Test func `things that are hidden, switched off or private are neither suggested nor learnt`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        var app = try ActedApp(node)
        for title in ["a", "b", "c"] { try Self.visit(title, &app, node) }
        #expect(try Set(Self.titles(node)) == ["a", "b"])
        let b = try #require(
            try Self.suggested(node).suggestions.first { $0.summary.activity.title == "b" }
        ).summary.identifier
        _ = try node.ask(ForgetActivity(b, everywhere: false)).get()
        #expect(try Self.titles(node) == ["a"])
        _ = try node.ask(ChangeSetting("suggestions org.example", to: 0)).get()
        #expect(try Self.titles(node) == [])
        try Self.visit("d", &app, node)
        try Self.await(3, on: node)
        _ = try node.ask(ChangeSetting("suggestions org.example", to: nil)).get()
        #expect(try Set(Self.titles(node)) == ["a", "c"], "d goes on, and was not learnt")
        _ = try node.ask(ChangeSetting(Setting.private.rawValue, to: 1)).get()
        try Self.visit("e", &app, node)
        #expect(try !Self.titles(node).contains("e"))
        _ = try node.ask(ChangeSetting(Setting.private.rawValue, to: 0)).get()
        try Self.await(3, on: node)
    }

    @Test func `an activity that is forgotten everywhere leaves nothing on any device`() throws {
        let nodes = try ConnectedNodes(["laptop", "desktop"])
        var app = try ActedApp(nodes[0])
        var other = try ActedApp(nodes[1])
        for title in ["secret", "plain", "secret", "end"] { try Self.go(to: title, &app, &other, nodes) }
        for place in 0...1 { try nodes.await(["end", "end"], on: place) }
        for place in 0...1 { try Self.await(4, on: nodes[place]) }
        // Each device keeps the thing for itself.
        let secret = try #require(
            try Self.suggested(nodes[0]).suggestions.first { $0.summary.activity.title == "secret" })
        #expect(secret.summary.isPrivate)
        try Self.go(to: "secret", &app, nodes[0])
        try Self.await(5, on: nodes[0])
        let current = try #require(try nodes[0].list().first { $0.activity.title == "secret" })
        _ = try nodes[0].ask(ForgetActivity(current.identifier, everywhere: true)).get()
        for place in 0...1 {
            try eventually("the end of the uses on \(place)") { try Self.uses(nodes[place]) == 2 }
            #expect(try !Self.titles(nodes[place]).contains("secret"))
            let kept = try SQLiteScript.number(
                "SELECT count(*) FROM notes WHERE space IN (15, 17, 18) AND (instr(name, CAST('secret' AS BLOB)) OR instr(value, CAST('secret' AS BLOB)))",
                on: nodes[place].home.account() + "/activities.sqlite")
            #expect(kept == 0, "on \(place)")
        }
    }

    /// Visits a thing on both devices.
    private static func go(
        to title: String, _ app: inout ActedApp, _ other: inout ActedApp, _ nodes: ConnectedNodes
    ) throws {
        if try nodes[0].list().isEmpty {
            try visit(title, &app, nodes[0])
            try visit(title, &other, nodes[1])
        } else {
            try go(to: title, &app, nodes[0])
            try go(to: title, &other, nodes[1])
        }
    }

    @Test func `uses of deleted or expired activities are forgotten when the node next erases`() throws {
        let node = try RunningNode.first(try TemporaryFolder()) { limits in
            (limits.erasingTime, limits.erasingPause) = (.milliseconds(400), .milliseconds(20))
        }
        var app = try ActedApp(node)
        for title in ["a", "b", "c"] { try Self.visit(title, &app, node) }
        try Self.await(3, on: node)
        _ = try app.ask(DeleteSavedActivities(app: app.app, identifiers: ["a"])).get()
        try eventually("the end of one") { try Self.uses(node) == 2 }
        _ = try app.ask(DeleteSavedActivities(app: app.app, identifiers: nil)).get()
        // The last one goes on.
        try eventually("the end of the other") { try Self.uses(node) == 1 }
        var change = ActivityChange()
        change.expiration = WallTime(milliseconds: 1)
        _ = try app.ask(UpdateActivity(.instance(app: app.app, instance: "1"), change)).get()
        try eventually("the end of the last") { try Self.uses(node) == 0 }
    }

    @Test func `a thing that is left within seconds is not learnt`() throws {
        let node = try RunningNode.first(try TemporaryFolder()) { $0.usePause = .seconds(2) }
        var app = try ActedApp(node)
        try app.start("a") { ($0.eligibility, $0.persistentIdentifier) = ([.prediction], "a") }
        try app.start("b") { ($0.eligibility, $0.persistentIdentifier) = ([.prediction], "b") }
        try eventually("what is learnt by itself") { try Self.uses(node) > 0 }
        try Self.await(1, on: node)
        // Its app may be suggested only, so that it is kept here.
        try Self.visit("c", &app, node, .prediction)
        #expect(try Self.titles(node) == ["b"])
    }

    // MARK: Donations

    private static var now: WallTime {
        WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }

    private static func donate(
        _ title: String, as identifier: String, in group: String? = nil, _ app: inout ActedApp
    ) throws {
        var change = ActivityChange()
        (change.title, change.set) = (title, [.string("soup"): .string(title)])
        let donation = Donation(identifier, in: group, at: Self.now)
        _ = try app.ask(
            DonateAction(app: app.app, donation, type: "OrderSoupIntent", change: change)
        ).get()
    }

    /// The number of donated actions in a node's database.
    private static func actions(_ node: RunningNode) throws -> Int {
        try SQLiteScript.number(
            "SELECT count(*) FROM notes WHERE space = 20", on: node.home.account() + "/activities.sqlite")
    }

    @Test
    func `a donated action is suggested with its reason, on its device only, also after a restart`()
        throws
    {
        let nodes = try ConnectedNodes(["laptop", "desktop"])
        var app = try ActedApp(nodes[0])
        try Self.visit("mail", &app, nodes[0])
        try Self.donate("tomato", as: "1", &app)
        try Self.donate("tomato", as: "2", in: "lunch", &app)
        let made = try #require(try Self.suggested(nodes[0]).suggestions.first)
        #expect(made.summary.activity.title == "tomato" && made.summary.isPrivate)
        #expect(made.summary.donation?.identifier == "2" && made.summary.donation?.group == "lunch")
        guard case .donated? = made.reasons.last else {
            Issue.record("its app is no reason: \(made.reasons)")
            return
        }
        // It is continued as it was donated, and counts as a use.
        let continued = try nodes[0].ask(ContinueActivity(.named(made.summary.identifier))).get()
        #expect(continued.source == .finished && continued.summary.donation == made.summary.donation)
        #expect(continued.summary.activity.info[.string("soup")] == .string("tomato"))
        try app.finish()
        try nodes.await(["mail"], on: 1, .finished)
        #expect(try Self.titles(nodes[1]).allSatisfy { $0 != "tomato" })
        #expect(try nodes[0].titles(.finished) == ["mail"], "it is not listed")
        #expect(try nodes[0].ask(SearchItems("tomato", most: 5)).get().results.isEmpty)
        // Another action, so that the last one is not what was used last.
        try Self.donate("onion", as: "3", &app)
        #expect(try Set(Self.titles(nodes[0])).isSuperset(of: ["tomato", "onion"]))
        #expect(try Self.actions(nodes[0]) == 2)
    }

    @Test func `donations survive a restart, and can be deleted by the app, the person or a switch`()
        throws
    {
        let folder = try TemporaryFolder()
        var node = try RunningNode.first(folder)
        do {
            var app = try ActedApp(node)
            for title in ["a", "b", "c", "d"] {
                try Self.donate(title, as: title, in: "group \(title)", &app)
            }
            #expect(try Set(Self.titles(node)) == ["b", "c", "d"], "no more than three of one app")
            _ = try app.ask(DeleteDonations(app: app.app, .identifiers(["a", "none"]))).get()
            _ = try app.ask(DeleteDonations(app: app.app, .group("group b"))).get()
            _ = try app.ask(DeleteDonations(app: "org.example.other", .all)).get()
        }
        node.stop()
        node = try RunningNode(folder)
        #expect(try Set(Self.titles(node)) == ["c", "d"])
        let c = try #require(
            try Self.suggested(node).suggestions.first { $0.summary.activity.title == "c" }
        ).summary
        _ = try node.ask(ForgetActivity(c.identifier, everywhere: true)).get()
        #expect(try Self.titles(node) == ["d"] && Self.actions(node) == 1)
        var app = try ActedApp(node)
        let d = try #require(try Self.suggested(node).suggestions.first).summary
        _ = try node.ask(ForgetActivity(d.identifier, everywhere: false)).get()
        try Self.donate("d", as: "d again", &app)
        #expect(try Self.titles(node) == [], "the person has hidden it here")
        _ = try node.ask(UnforgetActivity(d.identifier)).get()
        #expect(try Self.titles(node) == ["d"])
        _ = try node.ask(ChangeSetting("suggestions org.example", to: 0)).get()
        try Self.donate("e", as: "e", &app)
        try eventually("the end of the actions and their uses") {
            try Self.actions(node) == 0 && Self.uses(node) == 0
        }
        _ = try node.ask(ChangeSetting("suggestions org.example", to: nil)).get()
        #expect(try Self.titles(node) == [], "what was donated is gone for good")
        _ = try node.ask(ChangeSetting(Setting.private.rawValue, to: 1)).get()
        try Self.donate("f", as: "f", &app)
        _ = try node.ask(ChangeSetting(Setting.private.rawValue, to: 0)).get()
        #expect(try Self.titles(node) == [] && Self.actions(node) == 0)
        try Self.donate("g", as: "g", &app)
        _ = try app.ask(DeleteDonations(app: app.app, .all)).get()
        #expect(try Self.titles(node) == [])
    }

    @Test func `an app that donates without end fills no disk and displaces no other uses`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        var app = try ActedApp(node)
        for title in ["mail", "report", "mail"] { try Self.visit(title, &app, node) }
        var flood = try ActedApp(node, app: "org.example.flood")
        for number in 0..<400 {
            try Self.donate("\(number)", as: "\(number)", &flood)
            // Each is learnt, as if hours lay between them.
            if number % 2 == 0 { _ = try Self.suggested(node) }
        }
        try eventually("what is left of it") { try Self.actions(node) == DonatedActions.ofAppMost }
        #expect(try Self.uses(node) <= 3 + Limits.donatedUses)
        let all = try Self.titles(node)
        #expect(all.contains("report") && all.count == 1 + Limits.donatedSuggestions, "\(all)")
        for (identifier, group, type, title) in [
            ("", nil, "T", ""), ("1", nil, "", ""), (String(repeating: "x", count: 513), nil, "T", ""),
            ("1", String(repeating: "x", count: 513), "T", ""),
            ("1", nil, String(repeating: "x", count: 513), ""),
            ("1", nil, "T", String(repeating: "x", count: 17 << 10)),
        ] as [(String, String?, String, String)] {
            var change = ActivityChange()
            change.title = title
            let donation = Donation(identifier, in: group, at: Self.now)
            let result = try flood.ask(
                DonateAction(app: flood.app, donation, type: type, change: change))
            guard case .failure(let failure) = result else {
                Issue.record("\(identifier.prefix(2)) \(type.prefix(2)) was accepted")
                continue
            }
            #expect(failure.code == .usage || failure.code == .tooLarge)
        }
    }
}
