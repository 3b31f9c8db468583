import BatonCore
import BatonNode
import Support
import Testing

/// The focuses of the person, on nodes of one account.
@Suite struct `Focuses of an account` {
    private static let filter = FocusFilter(
        app: "org.example.notes", intent: "ShowFolder", values: ["folder": ["Work"]])

    private static func settings(_ node: RunningNode) throws -> FocusSettings {
        try node.ask(ListFocuses()).get().settings
    }

    @Test func `a focus and its switch reach the other device`() throws {
        let nodes = try ConnectedNodes(["laptop", "desktop"])
        _ = try nodes[0].ask(ChangeFocus("work", .set(Self.filter))).get()
        let switched = try nodes[0].ask(SwitchFocus("work")).get().settings
        #expect(switched.present?.filters == [Self.filter])
        try eventually("the focus on the other device") {
            try Self.settings(nodes[1]).present?.filters == [Self.filter]
        }
        _ = try nodes[1].ask(SwitchFocus(nil)).get()
        try eventually("the end of the focus") { try Self.settings(nodes[0]).present == nil }
    }

    @Test func `an app is told at once of the present focus, and then of each change`() throws {
        let nodes = try ConnectedNodes(["laptop", "desktop"])
        var app = try ActedApp(nodes[1], app: "org.example.notes")
        var notice = try app.ask(AwaitFocus(of: app.app)).get()
        #expect(notice.name == nil && notice.filters.isEmpty)
        let question = try app.begin(AwaitFocus(of: app.app, after: notice.number))
        _ = try app.ask(GetSettings()).get()
        let isAnswered = app.hasAnswer(to: question)
        #expect(!isAnswered, "nothing has changed")
        _ = try nodes[0].ask(ChangeFocus("work", .set(Self.filter))).get()
        notice = try app.answer(to: question).get()
        #expect(notice.name == nil, "a focus that is off says nothing")
        _ = try nodes[0].ask(SwitchFocus("work")).get()
        while notice.name == nil { notice = try app.ask(AwaitFocus(of: app.app, after: notice.number)).get() }
        #expect(notice.name == "work" && notice.filters == [Self.filter])
        // Another app learns of the focus, and of no settings of others.
        let other = try nodes[1].ask(AwaitFocus(of: "org.example.mail")).get()
        #expect(other.name == "work" && other.filters.isEmpty)
        // A number of an earlier process is answered at once.
        #expect(try app.ask(AwaitFocus(of: app.app, after: 1)).get().name == "work")
    }

    @Test func `focuses survive a restart`() throws {
        let folder = try TemporaryFolder()
        var node = try RunningNode.first(folder)
        _ = try node.ask(ChangeFocus("work", .set(Self.filter))).get()
        _ = try node.ask(SwitchFocus("work")).get()
        node.stop()
        node = try RunningNode(folder)
        #expect(try Self.settings(node).present?.filters == [Self.filter])
    }

    @Test func `removing a focus that is on switches it off`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        _ = try node.ask(ChangeFocus("work", .add)).get()
        _ = try node.ask(SwitchFocus("work")).get()
        let settings = try node.ask(ChangeFocus("work", .remove)).get().settings
        #expect(settings.focuses.isEmpty && settings.last?.name == nil)
        // A focus of the same name begins anew, and off.
        #expect(try node.ask(ChangeFocus("work", .add)).get().settings.present == nil)
    }

    @Test func `filters are set, replaced and removed one by one`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        _ = try node.ask(ChangeFocus("work", .set(Self.filter))).get()
        var other = Self.filter
        other.values = ["folder": ["Home"]]
        let mail = FocusFilter(app: "org.example.mail", intent: "Mute")
        _ = try node.ask(ChangeFocus("work", .set(mail))).get()
        var focus = try node.ask(ChangeFocus("work", .set(other))).get().settings.focus(named: "work")
        #expect(focus?.filters(of: "org.example.notes") == [other] && focus?.filters.count == 2)
        let unset = ChangeFocus("work", .unset(app: "org.example.mail", intent: "Mute"))
        focus = try node.ask(unset).get().settings.focus(named: "work")
        #expect(focus?.filters == [other])
        #expect(throws: LocalFailure.self) { try node.ask(unset).get() }
    }

    @Test func `changes that are asked for at once are all kept`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        var app = try ActedApp(node, app: "org.example.notes")
        let filters = (0..<16).map { FocusFilter(app: app.app, intent: "Intent\($0)") }
        // Nothing waits for the answer before, so the focus does not exist when the later ones are asked for.
        let questions = try filters.map { try app.begin(ChangeFocus("work", .set($0))) }
        for question in questions { _ = try app.answer(to: question).get() }
        let kept = try Self.settings(node).focus(named: "work")?.filters.map(\.intent)
        #expect(Set(kept ?? []) == Set(filters.map(\.intent)))
    }

    @Test func `bad changes are refused, and nothing is changed`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        let large = FocusFilter(
            app: "a", intent: "b", values: ["x": [String(repeating: "y", count: FocusFilter.bytesMost)]])
        for call in [
            ChangeFocus("off", .add), ChangeFocus("", .add), ChangeFocus("x", .remove),
            ChangeFocus("x", .set(large)), ChangeFocus("x", .set(FocusFilter(app: "a\nb", intent: "c"))),
            ChangeFocus("x", .unset(app: "a", intent: nil)),
        ] {
            #expect(throws: LocalFailure.self, "\(call)") { try node.ask(call).get() }
        }
        #expect(throws: LocalFailure.self) { try node.ask(SwitchFocus("x")).get() }
        #expect(try Self.settings(node) == FocusSettings([]))
        for number in 0..<FocusName.most { _ = try node.ask(ChangeFocus("f\(number)", .add)).get() }
        let failure = #expect(throws: LocalFailure.self) { try node.ask(ChangeFocus("one more", .add)).get() }
        #expect(failure?.code == .tooLarge)
    }
}
