import BatonCore
import BatonNode
import Support
import Testing

/// Continuing an activity with the state of its app, of its node, or of a replica.
@Suite struct `Continuing an activity` {
    @Test func `continuing an activity requests the latest state from its app, and notifies the app`() throws
    {
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
            return #expect(Bool(false), "the activity was not continued")
        }
        #expect(went.source == .app && went.summary.activity.title == "Draft, saved")
        #expect(went.summary.device.name == "near" && !went.isTaken)
        #expect(went.summary.activity.continuation?.device == device.identifier)
    }

    @Test func `an activity continues with the state of its node if the app does not answer in time`() throws
    {
        let nodes = try ConnectedNodes(["near", "far"]) { $0.savingTime = .milliseconds(100) }
        var app = try ActedApp(nodes[0])
        try app.start("Draft")
        try app.listen()
        let last = try app.update("Draft, by the node")
        try nodes.await(["Draft, by the node"], on: 1)
        let continued = try nodes[1].continued()
        #expect(continued.source == .node && continued.summary.activity.title == "Draft, by the node")
        #expect(continued.summary.activity.changed == last.activity.changed)
        // A late save is still stored, and a save that was not requested is refused.
        guard case .save(let number, "1") = try app.event() else {
            return #expect(Bool(false), "the app was not asked to save")
        }
        guard case .wasContinued("1", _, false) = try app.event() else {
            return #expect(Bool(false), "the app was not notified")
        }
        var change = ActivityChange()
        change.title = "Late"
        guard case .failure(let refused) = try app.ask(ReportSaved(number + 1, change)) else {
            return #expect(Bool(false), "a save that was not requested was accepted")
        }
        #expect(refused.code == .usage)
        guard case .success = try app.ask(ReportSaved(number, change)) else {
            return #expect(Bool(false), "a late save was refused")
        }
        guard case .failure = try app.ask(ReportSaved(number, change)) else {
            return #expect(Bool(false), "the same save was accepted twice")
        }
        try nodes.await(["Late"], on: 1)
    }

    @Test
    func `an activity continues immediately with the node's state if its app does not wait for events`()
        throws
    {
        let nodes = try ConnectedNodes(["near", "far"]) { $0.savingTime = .seconds(60) }
        var app = try ActedApp(nodes[0])
        try app.start("Draft")
        try nodes.await(["Draft"], on: 1)
        #expect(try nodes[1].continued().source == .node)
        #expect(try nodes[1].continued().source == .node, "the second continuation has another source")
        guard case .wasContinued = try app.event() else {
            return #expect(Bool(false), "the app was not notified")
        }
    }

    @Test func `an activity continues from its replica if its device is not connected`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        var app = try ActedApp(nodes[0])
        let started = try app.start("Draft")
        try nodes.await(["Draft"], on: 1)
        try nodes.stop(0)
        let continued = try nodes[1].continued()
        #expect(continued.source == .replica && continued.summary.activity.title == "Draft")
        #expect(continued.summary.activity.changed == started.activity.changed)
        #expect(try nodes[1].titles() == ["Draft"], "the activity was taken over")
    }

    @Test func `an activity can be continued and taken over on the same device`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.savingTime = .milliseconds(50) }
        var app = try ActedApp(node)
        let started = try app.start("Draft")
        #expect(try node.continued(ContinueActivity(.named(started.identifier))).source == .node)
        guard case .wasContinued("1", let device, false) = try app.event() else {
            return #expect(Bool(false), "the app was not notified")
        }
        #expect(device.isHere)
        let taken = try node.continued(ContinueActivity(.named("org.example.edit"), takes: true))
        #expect(taken.isTaken && taken.source == .node)
        // The app does not have to save any more, because it did not await events in time.
        guard case .wasContinued("1", _, true) = try app.event() else {
            return #expect(Bool(false), "the app was not notified of the takeover")
        }
        #expect(try node.titles() == [])
        #expect(try node.titles(.finished) == ["Draft"])
    }

    @Test func `an activity continues in the app that is registered for its type`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        var app = try ActedApp(nodes[0])
        try app.start("Draft")
        try nodes.await(["Draft"], on: 1)
        let name = AppName(app: "org.example.editor", instance: "w")
        let call = ContinueActivity(.last, takes: true, handler: name)
        #expect(try nodes[1].refusal(of: call).code == .notFound)
        #expect(
            try nodes[0].titles() == ["Draft"], "the activity was taken over for an app that is not connected"
        )
        do {
            var editor = try ActedApp(nodes[1])
            let registration = AppRegistration(name, types: ["org.example.*"], title: "Editor")
            guard case .success = try editor.ask(RegisterApp(registration)) else {
                return #expect(Bool(false), "the app was not registered")
            }
            var listed = try nodes[1].ask(ListRegistrations()).get().registrations
            #expect(listed.count == 1 && listed.first?.used != nil)
            listed[0].used = nil
            #expect(listed == [registration])
            var person = try ActedApp(nodes[1])
            let question = try person.begin(call)
            guard case .continues(let number, let handed) = try editor.event() else {
                return #expect(Bool(false), "the app got another event")
            }
            #expect(handed.isTaken && handed.summary.activity.title == "Draft")
            #expect(try nodes[0].titles() == ["Draft"], "it was taken over before the app had it")
            _ = try editor.ask(ReportOpened(number)).get()
            let continued = try person.answer(to: question).get()
            #expect(continued.isTaken)
            #expect(try nodes[0].titles() == [])
        }
        try eventually("the end of the registration") {
            guard case .success([]) = try nodes[1].ask(ListRegistrations()).map(\.registrations) else {
                return false
            }
            return true
        }
    }

    @Test(arguments: [false, true])
    func `an activity is unchanged if the app that should continue it does not confirm`(
        hasLeft: Bool
    ) throws {
        let nodes = try ConnectedNodes(["near", "far"]) {
            $0.appOpeningTime = hasLeft ? .seconds(60) : .milliseconds(100)
        }
        var app = try ActedApp(nodes[0])
        let started = try app.start("Draft")
        try nodes.await(["Draft"], on: 1)
        let name = AppName(app: "org.example.editor", instance: "w")
        var person = try ActedApp(nodes[1])
        let question: ActedApp.Question<ContinueActivity>
        do {
            var editor = try ActedApp(nodes[1])
            _ = try editor.ask(RegisterApp(AppRegistration(name, types: ["org.example.*"]))).get()
            try editor.listen()
            question = try person.begin(ContinueActivity(.last, takes: true, handler: name))
            guard case .continues(let number, _) = try editor.event() else {
                return #expect(Bool(false), "the app got another event")
            }
            if !hasLeft {
                try expectRefusal(try person.answer(to: question), .failed)
                // The app learns that it is too late.
                try expectRefusal(try editor.ask(ReportOpened(number)), .notFound)
            }
        }
        if hasLeft { try expectRefusal(try person.answer(to: question), .notFound) }
        let still = try #require(try nodes[0].list().first)
        #expect(still.identifier == started.identifier && still.activity.continuation == nil)
        // The first event of its app is about a continuation that succeeds.
        _ = try nodes[1].continued(ContinueActivity(.last, takes: true))
        guard case .wasContinued("1", _, true) = try app.event() else {
            return #expect(Bool(false), "the app was notified of a continuation that failed")
        }
    }

    @Test func `in a continuation of two steps, the first app is notified only after the second step`() throws
    {
        let nodes = try ConnectedNodes(["near", "far"])
        var app = try ActedApp(nodes[0])
        try app.start("Draft")
        try nodes.await(["Draft"], on: 1)
        try app.listen()
        var far = try ActedApp(nodes[1])
        let question = try far.begin(ContinueActivity(.last, takes: true, step: .fetch))
        guard case .save(let number, _) = try app.event() else {
            return #expect(Bool(false), "the app was not asked to save")
        }
        var change = ActivityChange()
        change.title = "Draft, saved"
        _ = try app.ask(ReportSaved(number, change)).get()
        let fetched = try far.answer(to: question).get()
        #expect(fetched.source == .app && !fetched.isTaken)
        #expect(fetched.summary.activity.title == "Draft, saved")
        #expect(fetched.summary.activity.continuation == nil)
        #expect(try nodes[0].list().map(\.activity.continuation) == [nil])
        let confirming = ContinueActivity(
            .named(fetched.summary.identifier), takes: true, step: .confirm)
        let confirmed = try nodes[1].continued(confirming)
        #expect(confirmed.isTaken && confirmed.summary.activity.title == "Draft, saved")
        guard case .wasContinued("1", _, true) = try app.event() else {
            return #expect(Bool(false), "the app was asked to save again")
        }
        #expect(try nodes[0].titles() == [])
        // The second step fails if it comes after the end.
        try expectRefusal(
            try nodes[0].ask(ContinueActivity(.named(fetched.summary.identifier), step: .confirm)), .takenOver
        )
    }

    @Test func `an activity is not taken over if its instance has begun one of another type in the meantime`()
        throws
    {
        let nodes = try ConnectedNodes(["near", "far"]) {
            ($0.savingTime, $0.continuingTime) = (.seconds(60), .seconds(60))
        }
        var app = try ActedApp(nodes[0])
        let page = try app.start("Page", type: "org.example.page")
        try nodes.await(["Page"], on: 1)
        try app.listen()
        let call = ContinueActivity(.named(page.identifier), takes: true, type: "org.example.page")
        var far = try ActedApp(nodes[1])
        let question = try far.begin(call)
        guard case .save(let number, _) = try app.event() else {
            return #expect(Bool(false), "the app was not asked to save")
        }
        try app.start("Folder", type: "org.example.folder")
        _ = try app.ask(ReportSaved(number, nil))
        try expectRefusal(try far.answer(to: question), .notFound)
        #expect(try nodes[0].titles() == ["Folder"])
        // A refusal says nothing of the other activity.
        try nodes.await(["Folder"], on: 1)
        for node in [nodes[0], nodes[1]] {
            let failure = try node.refusal(of: call)
            #expect(failure.code == .notFound && !failure.text.contains("Folder"), "\(failure)")
        }
        #expect(try nodes[0].titles() == ["Folder"])
    }

    @Test func `an activity that has been replaced before the continuing app confirms is not taken over`()
        throws
    {
        let nodes = try ConnectedNodes(["near", "far"]) { $0.appOpeningTime = .seconds(60) }
        var app = try ActedApp(nodes[0])
        try app.start("Page", type: "org.example.page")
        try nodes.await(["Page"], on: 1)
        let name = AppName(app: "org.example.browser", instance: "w")
        var browser = try ActedApp(nodes[1])
        _ = try browser.ask(RegisterApp(AppRegistration(name, types: ["org.example.*"]))).get()
        var person = try ActedApp(nodes[1])
        let question = try person.begin(ContinueActivity(.last, takes: true, handler: name))
        guard case .continues(let number, let handed) = try browser.event() else {
            return #expect(Bool(false), "the app got another event")
        }
        #expect(handed.summary.activity.title == "Page")
        try app.start("Folder", type: "org.example.folder")
        _ = try browser.ask(ReportOpened(number)).get()
        #expect(try !person.answer(to: question).get().isTaken)
        #expect(try nodes[0].titles() == ["Folder"])
    }

    private func expectRefusal<Reply>(
        _ answer: Result<Reply, LocalFailure>, _ code: LocalFailure.Code,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        guard case .failure(let failure) = answer else { throw DeadlinePassed(description: "\(answer)") }
        #expect(failure.code == code, "\(failure)", sourceLocation: sourceLocation)
    }

    @Test func `a device continues the activity that was sent to it before any other`() throws {
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
        try eventually("the sent activity") { try nodes[1].list().contains { $0.isSentHere } }
        #expect(try nodes[1].list().filter(\.isSentHere).map(\.activity.title) == ["Sent"])
        #expect(try nodes[1].continued().summary.activity.title == "Sent")
        try eventually("the end of the offer") { try !nodes[1].list().contains { $0.isSentHere } }
        #expect(try nodes[1].continued().summary.activity.title == "Later")
        // A private activity can't be sent.
        try app.start("Secret", instance: "3") { $0.eligibility = [] }
        let secret = ActivityTarget.instance(app: "org.example", instance: "3")
        #expect(try nodes[0].refusal(of: SendActivity(secret, to: "far")).code == .notAllowed)
        #expect(try nodes[0].list().first { $0.activity.title == "Secret" }?.isPrivate == true)
    }
}
