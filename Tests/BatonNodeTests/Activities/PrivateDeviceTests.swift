import BatonCore
import BatonNode
import Support
import Testing

/// The data that a private device sends and receives.
@Suite struct `A private device` {
    private static let on = ChangeSetting(Setting.private.rawValue, to: 1)

    @Test(arguments: [false, true])
    func `refuses a continuation that was under way when it became private`(takes: Bool) throws {
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
        guard case .save(let number, _) = try app.event() else {
            return #expect(Bool(false), "the app was not asked to save")
        }
        _ = try app.ask(Self.on)
        var change = ActivityChange()
        change.title = "Secret"
        #expect(try app.ask(ReportSaved(number, change)) == .success(Done()))
        guard case .failure(let failure) = try far.answer(to: question) else {
            return #expect(Bool(false), "an activity of a private device was continued")
        }
        #expect(failure.code == .notFound && failure.text.contains("“Draft” has ended on"))
        try nodes.await([], on: 1)
        // On its own device it goes on, as if it had not been requested.
        let list = try nodes[0].list()
        #expect(list.map(\.activity.title) == ["Secret"] && list[0].isPrivate)
        #expect(list[0].activity.continuation == nil)
        _ = try app.ask(ChangeSetting(Setting.private.rawValue, to: nil))
        try nodes.await(["Secret"], on: 1)
        #expect(try nodes[0].titles(.finished) == [] && nodes[1].titles(.finished) == [])
    }

    @Test func `sends no index items, even after it reconnects`() throws {
        var nodes = try ConnectedNodes(["near", "far"])
        _ = try nodes[0].ask(Self.on)
        try nodes[0].index("Secret")
        try nodes.restart(0)
        // These items arrive in the session in which the private index would have been sent.
        for title in ["One", "Two"] {
            try nodes[1].index(title)
            try eventually("the item of the other device") { try nodes[0].find(title).count == 1 }
        }
        #expect(try nodes[1].find("Secret").isEmpty)
        _ = try nodes[0].ask(ChangeSetting(Setting.private.rawValue, to: nil))
        try eventually("the item that is no longer held back") { try nodes[1].find("Secret").count == 1 }
    }

    @Test func `can take over an activity, and the other device names it as the taker`() throws {
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
            return #expect(Bool(false), "the app was not notified")
        }
        #expect(device.name == "far")
        try nodes.await([], on: 0)
        try nodes.await(["Draft, mine"], on: 1)
        try eventually("the device that took over") {
            try nodes[0].list(.finished).map(\.continuedOn) == ["far"]
        }
        // Once a later activity has arrived, nothing private can have been sent before it.
        try app.start("Other", instance: "2")
        try nodes.await(["Draft, mine", "Other"], on: 1)
        #expect(try nodes[0].titles() == ["Other"])
    }
}

extension RunningNode {
    /// Indexes an item with a title.
    fileprivate func index(_ title: String) throws {
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string(title))
        let name = ClientStateName(app: "org.example.notes", index: "notes")
        let change = IndexChange.item(title, Item(attributes: attributes))
        #expect(try ask(ChangeIndex(name, [change])) == .success(IndexReply(passedOver: 0)))
    }
}
