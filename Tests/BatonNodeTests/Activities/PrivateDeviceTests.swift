import BatonCore
import BatonNode
import Support
import Testing

/// What a device that is set to be private gives and takes.
@Suite struct `A private device` {
    private static let on = ChangeSetting(Setting.private.rawValue, to: 1)

    @Test(arguments: [false, true])
    func `gives nothing to who was about to go on with what goes on there`(takes: Bool) throws {
        let nodes = try ConnectedNodes(["near", "far"]) { limits in
            (limits.continuingTime, limits.savingTime) = (.seconds(30), .seconds(30))
        }
        var app = try ActedApp(nodes[0])
        let draft = try app.start("Draft")
        try nodes.await(["Draft"], on: 1)
        try app.listen()
        var far = try ActedApp(nodes[1])
        let question = try far.begin(
            ContinueActivity(.named(draft.identifier), takes: takes))
        guard case .save(let number, _) = try app.event() else { return #expect(Bool(false), "asked") }
        _ = try app.ask(Self.on)
        var change = ActivityChange()
        change.title = "Secret"
        #expect(try app.ask(ReportSaved(number, change)) == .success(Done()))
        guard case .failure(let failure) = try far.answer(to: question) else {
            return #expect(Bool(false), "there is nothing to go on with")
        }
        #expect(failure.code == .notFound && failure.text.contains("“Draft” is not going on any more"))
        try nodes.await([], on: 1)
        // There it goes on as if nobody had asked.
        let list = try nodes[0].list()
        #expect(list.map(\.activity.title) == ["Secret"] && list[0].isPrivate)
        #expect(list[0].activity.continuation == nil)
        _ = try app.ask(ChangeSetting(Setting.private.rawValue, to: nil))
        try nodes.await(["Secret"], on: 1)
        #expect(try nodes[0].titles(.finished) == [] && nodes[1].titles(.finished) == [])
    }

    @Test func `keeps its index to itself, also where it is met anew`() throws {
        var nodes = try ConnectedNodes(["near", "far"])
        _ = try nodes[0].ask(Self.on)
        try nodes[0].index("Secret")
        try nodes.restart(0)
        // These items come over the session in which the index would have gone the other way.
        for title in ["One", "Two"] {
            try nodes[1].index(title)
            try eventually("what the other one indexed") { try nodes[0].find(title).count == 1 }
        }
        #expect(try nodes[1].find("Secret").isEmpty)
        _ = try nodes[0].ask(ChangeSetting(Setting.private.rawValue, to: nil))
        try eventually("what may leave again") { try nodes[1].find("Secret").count == 1 }
    }

    @Test func `takes over what goes on elsewhere, where it is told who did`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        var app = try ActedApp(nodes[0])
        try app.start("Draft")
        try nodes.await(["Draft"], on: 1)
        _ = try nodes[1].ask(Self.on)
        let continued = try nodes[1].continued(ContinueActivity(.last, takes: true))
        #expect(continued.isTaken && continued.source == .node)
        var theirs = try ActedApp(nodes[1])
        #expect(try theirs.start("Draft, mine").isPrivate)
        guard case .wasContinued("1", let device, true) = try app.event() else {
            return #expect(Bool(false), "its app is told")
        }
        #expect(device.name == "far")
        try nodes.await([], on: 0)
        try nodes.await(["Draft, mine"], on: 1)
        try eventually("what is known of the end") {
            try nodes[0].list(.finished).map(\.continuedOn) == ["far"]
        }
        // The next thing that the two say to each other shows that nothing came before it.
        try app.start("Other", instance: "2")
        try nodes.await(["Draft, mine", "Other"], on: 1)
        #expect(try nodes[0].titles() == ["Other"])
    }
}

extension RunningNode {
    /// Puts an item of that title into an index.
    fileprivate func index(_ title: String) throws {
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string(title))
        let name = ClientStateName(app: "org.example.notes", index: "notes")
        let change = IndexChange.item(title, domain: nil, Item(attributes: attributes).fields)
        #expect(try ask(ChangeIndex(name, batch: nil, [change])) == .success(IndexReply(passedOver: 0)))
    }
}
