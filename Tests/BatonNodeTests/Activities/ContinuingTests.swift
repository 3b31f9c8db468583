import BatonCore
import BatonNode
import Support
import Testing

/// Going on with an activity of another device, in the three ways in which its state can come.
@Suite struct `An activity goes on elsewhere` {
    @Test func `as its app has it, which is asked and then told`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        var app = try ActedApp(nodes[0])
        try app.start("Draft")
        try nodes.await(["Draft"], on: 1)
        try app.listen()
        var far = try ActedApp(nodes[1])
        let question = try far.begin(ContinueActivity(.last))
        let event = try app.saveWhenAsked("Draft, saved")
        guard case .wasContinued("1", let device, false) = event else {
            return #expect(Bool(false), "\(event)")
        }
        #expect(device.name == "far")
        guard case .success(let went) = try far.answer(to: question) else {
            return #expect(Bool(false), "it goes on")
        }
        #expect(went.source == .app && went.summary.activity.title == "Draft, saved")
        #expect(went.summary.device.name == "near" && !went.isTaken)
        #expect(went.summary.activity.continuation?.device == device.identifier)
    }

    @Test func `as its node has it, if the app does not answer in time`() throws {
        let nodes = try ConnectedNodes(["near", "far"]) { $0.savingTime = .milliseconds(100) }
        var app = try ActedApp(nodes[0])
        try app.start("Draft")
        try app.listen()
        let last = try app.update("Draft, by the node")
        try nodes.await(["Draft, by the node"], on: 1)
        let continued = try nodes[1].continued()
        #expect(continued.source == .node && continued.summary.activity.title == "Draft, by the node")
        #expect(continued.summary.activity.changed == last.activity.changed)
        // What the app says too late is not lost, and what it was not asked for is refused.
        guard case .save(let number, "1") = try app.event() else { return #expect(Bool(false), "asked") }
        guard case .wasContinued("1", _, false) = try app.event() else { return #expect(Bool(false), "told") }
        var change = ActivityChange()
        change.title = "Late"
        guard case .failure(let refused) = try app.ask(ReportSaved(number + 1, change)) else {
            return #expect(Bool(false), "nobody asked")
        }
        #expect(refused.code == .usage)
        guard case .success = try app.ask(ReportSaved(number, change)) else {
            return #expect(Bool(false), "late")
        }
        guard case .failure = try app.ask(ReportSaved(number, change)) else {
            return #expect(Bool(false), "twice")
        }
        try nodes.await(["Late"], on: 1)
    }

    @Test func `at once as its node has it, if the app never asks what becomes of it`() throws {
        let nodes = try ConnectedNodes(["near", "far"]) { $0.savingTime = .seconds(60) }
        var app = try ActedApp(nodes[0])
        try app.start("Draft")
        try nodes.await(["Draft"], on: 1)
        #expect(try nodes[1].continued().source == .node)
        #expect(try nodes[1].continued().source == .node, "and once more")
        guard case .wasContinued = try app.event() else {
            return #expect(Bool(false), "it is told all the same")
        }
    }

    @Test func `as it was replicated, if its device is gone`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        var app = try ActedApp(nodes[0])
        let started = try app.start("Draft")
        try nodes.await(["Draft"], on: 1)
        try nodes.stop(0)
        let continued = try nodes[1].continued()
        #expect(continued.source == .replica && continued.summary.activity.title == "Draft")
        #expect(continued.summary.activity.changed == started.activity.changed)
        #expect(try nodes[1].titles() == ["Draft"], "nothing was taken over")
    }

    @Test func `in another app of the same device, by the same rules`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.savingTime = .milliseconds(50) }
        var app = try ActedApp(node)
        let started = try app.start("Draft")
        #expect(try node.continued(ContinueActivity(.named(started.identifier))).source == .node)
        guard case .wasContinued("1", let device, false) = try app.event() else {
            return #expect(Bool(false), "told")
        }
        #expect(device.isHere)
        let taken = try node.continued(ContinueActivity(.named("org.example.edit"), takes: true))
        #expect(taken.isTaken && taken.source == .node)
        // What it was to save it need not save any more, as it did not ask in time.
        guard case .wasContinued("1", _, true) = try app.event() else { return #expect(Bool(false), "taken") }
        #expect(try node.titles() == [])
        #expect(try node.titles(.finished) == ["Draft"])
    }

    @Test func `in the app that registered for it`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        var app = try ActedApp(nodes[0])
        try app.start("Draft")
        try nodes.await(["Draft"], on: 1)
        let name = AppName(app: "org.example.editor", instance: "w")
        let call = ContinueActivity(.last, takes: true, handler: name)
        #expect(try nodes[1].refusal(of: call).code == .notFound)
        #expect(try nodes[0].titles() == ["Draft"], "nothing is taken for who is not there")
        do {
            var editor = try ActedApp(nodes[1])
            let registration = AppRegistration(name, types: ["org.example.*"], title: "Editor")
            guard case .success = try editor.ask(RegisterApp(registration)) else {
                return #expect(Bool(false), "registered")
            }
            guard case .success([registration]) = try nodes[1].ask(ListRegistrations()).map(\.registrations)
            else {
                return #expect(Bool(false), "listed")
            }
            let continued = try nodes[1].continued(call)
            guard case .continues(continued) = try editor.event() else {
                return #expect(Bool(false), "it is told the same")
            }
        }
        try eventually("its end") {
            guard case .success([]) = try nodes[1].ask(ListRegistrations()).map(\.registrations) else {
                return false
            }
            return true
        }
    }

    @Test func `and is the first of what is offered if it was sent, until it has`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        var app = try ActedApp(nodes[0])
        try app.start("Sent", instance: "1")
        try untilLater()
        try app.start("Later", instance: "2")
        try nodes.await(["Later", "Sent"], on: 1)
        let target = ActivityTarget.instance(app: "org.example", instance: "1")
        #expect(try nodes[0].refusal(of: SendActivity(target, to: "near")).code == .usage)
        #expect(try nodes[0].refusal(of: SendActivity(target, to: "nobody")).code == .notFound)
        _ = try app.activity(SendActivity(target, to: "far"))
        try eventually("what was sent") { try nodes[1].list().contains { $0.isSentHere } }
        #expect(try nodes[1].list().filter(\.isSentHere).map(\.activity.title) == ["Sent"])
        #expect(try nodes[1].continued().summary.activity.title == "Sent")
        try eventually("its end") { try !nodes[1].list().contains { $0.isSentHere } }
        #expect(try nodes[1].continued().summary.activity.title == "Later")
        // What stays here can't be sent.
        try app.start("Secret", instance: "3") { $0.eligibility = [] }
        let secret = ActivityTarget.instance(app: "org.example", instance: "3")
        #expect(try nodes[0].refusal(of: SendActivity(secret, to: "far")).code == .notAllowed)
        #expect(try nodes[0].list().first { $0.activity.title == "Secret" }?.isPrivate == true)
    }
}
