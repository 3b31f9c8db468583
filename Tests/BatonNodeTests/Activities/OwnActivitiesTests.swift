import BatonCore
import BatonNode
import Support
import Testing

/// The activities of apps, on their own device and on the others.
@Suite struct `Activities of apps` {
    @Test func `an activity bound to a connection ends with the connection or the node`() throws {
        var nodes = try ConnectedNodes(["near", "far"])
        do {
            var app = try ActedApp(nodes[0])
            try app.start("bound", instance: "1", lifetime: .connection)
            try app.start("stays", instance: "2")
            try nodes.await(["bound", "stays"], on: 1)
        }
        try nodes.await(["stays"], on: 1)
        #expect(try nodes[1].titles(.finished) == ["bound"])
        // A node that stops sends no end of the activity, like one that is killed.
        var app = try ActedApp(nodes[0])
        try app.start("bound again", instance: "1", type: "org.example.other", lifetime: .connection)
        try nodes.await(["bound again", "stays"], on: 1)
        try nodes.restart(0)
        try nodes.await(["stays"], on: 0)
        try nodes.await(["stays"], on: 1)
        #expect(try nodes[0].titles(.finished).sorted() == ["bound", "bound again"])
    }

    @Test func `a node that stops first sends the last state of its activities`()
        throws
    {
        let nodes = try ConnectedNodes(["near", "far"]) {
            ($0.publishingPause, $0.publishedAtOnce) = (.seconds(3600), 1)
        }
        var app = try ActedApp(nodes[0])
        try app.start("first")
        try app.update("last")
        try nodes.await(["first"], on: 1)
        try nodes.stop(0)
        try nodes.await(["last"], on: 1)
    }

    @Test
    func
        `an activity that is ineligible for hand-off is not sent, and is deleted elsewhere if it had been sent`()
        throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder, "first")
        try node.admit("second")
        let device = try ActedDevice(try RunningNode.home(folder, "second"), callingPort: node.port)
        var app = try ActedApp(node)
        #expect(try app.start("secret") { $0.eligibility = .search }.isPrivate)
        #expect(try !app.start("shown", instance: "2").isPrivate)
        var titles: [String] = []
        while !titles.contains("shown") { titles += try device.nextTitles() }
        #expect(!titles.contains("secret"))
        #expect(try !app.update("eligible", eligibility: .handoff).isPrivate)
        while !titles.contains("eligible") { titles += try device.nextTitles() }
        #expect(try app.update("hidden", eligibility: .search).isPrivate)
        while !titles.contains("deleted") { titles += try device.nextTitles() }
        #expect(try app.finish().activity.finished != nil)
        try app.start("last", instance: "3")
        while !titles.contains("last") { titles += try device.nextTitles() }
        let resigned = try app.activity(ResignActivity(.instance(app: app.app, instance: "3")))
        #expect(!resigned.isPrivate, "the activity was private, although others saw it")
        #expect(!titles.contains("hidden") && !titles.contains("secret"))
        #expect(
            try node.titles(.finished) == ["hidden"], "it is kept here, because it is eligible for search")
    }

    @Test func `a device that becomes private withdraws its activities, and sends no index`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        let notes = ClientStateName(app: "org.example", index: "notes")
        let item = { (number: String) -> ChangeIndex in
            var attributes = AttributeSet()
            attributes[.title] = .plain(.string("note \(number)"))
            return ChangeIndex(notes, [.item(number, Item(attributes: attributes))])
        }
        var app = try ActedApp(nodes[0])
        var theirs = try ActedApp(nodes[1])
        try app.start("a")
        _ = try app.ask(item("1"))
        try nodes.await(["a"], on: 1)
        try eventually("the note elsewhere") { try nodes[1].find("note").count == 1 }
        _ = try app.ask(ChangeSetting(Setting.private.rawValue, to: 1))
        #expect(try app.ask(item("2")) == .success(IndexReply(passedOver: 0)))
        let opening = ItemName(app: "org.example", index: "notes", identifier: "1")
        #expect(try app.ask(CountOpening(opening)) == .success(IndexReply(passedOver: 1)))
        try nodes.await([], on: 1)
        #expect(try app.update("b").isPrivate)
        // Changes of other devices still arrive, and the other device keeps what it had of the index.
        try theirs.start("theirs")
        try nodes.await(["b", "theirs"], on: 0)
        #expect(try nodes[1].find("note").count == 1 && nodes[1].titles() == ["theirs"])
        #expect(try nodes[0].titles(.finished) == [])
        _ = try app.ask(ChangeSetting(Setting.private.rawValue, to: nil))
        try nodes.await(["b", "theirs"], on: 1)
        try eventually("both notes elsewhere") { try nodes[1].find("note").count == 2 }
    }

    @Test
    func
        `ended activities with one identifier are saved as one until it expires; for zero days, none is saved`()
        throws
    {
        let nodes = try ConnectedNodes(["near", "far"])
        var near = try ActedApp(nodes[0])
        var far = try ActedApp(nodes[1])
        let same = { (change: inout ActivityChange) in change.persistentIdentifier = "draft" }
        try near.start("once", same)
        try near.finish()
        try near.start("twice", same)
        try near.finish()
        try nodes.await(["twice"], on: 1, .finished)
        try untilLater()
        try far.start("elsewhere", same)
        try far.finish()
        try nodes.await(["elsewhere"], on: 0, .finished)
        // The expiration that the app sets also ends the kept activity.
        try untilLater()
        try far.start("elsewhere") { change in
            same(&change)
            change.expiration = presentTime.advanced(by: .milliseconds(1500))
        }
        try far.finish()
        try nodes.await([], on: 0, .finished)
        try nodes.await([], on: 1, .finished)
        _ = try near.ask(ChangeSetting(Setting.finishedDays.rawValue, to: 0))
        try near.start("not kept")
        try near.finish()
        try near.start("last")
        try nodes.await(["last"], on: 1)
        #expect(try nodes[1].titles(.finished) == [] && nodes[0].titles(.finished) == [])
    }

    @Test func `saved activities are deleted by their identifiers, or all of an app at once`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        var app = try ActedApp(nodes[0])
        var other = try ActedApp(nodes[0], app: "org.other")
        for name in ["1", "2", "3"] {
            try app.start(name, instance: name) { $0.persistentIdentifier = name }
            if name != "3" { try app.finish(instance: name) }
        }
        try other.start("other") { $0.persistentIdentifier = "1" }
        try other.finish()
        try nodes.await(["1", "2", "other"], on: 1, .finished)
        try nodes.await(["3"], on: 1)
        // Any device may delete them, and a current activity with such an identifier goes on.
        #expect(
            try app.ask(DeleteSavedActivities(app: "org.example", identifiers: ["1", "3"]))
                == .success(Done()))
        try nodes.await(["2", "other"], on: 1, .finished)
        try nodes.await(["3"], on: 1)
        try nodes.await(["3"], on: 0)
        var far = try ActedApp(nodes[1])
        #expect(try far.ask(DeleteSavedActivities(app: "org.example", identifiers: nil)) == .success(Done()))
        try nodes.await(["other"], on: 0, .finished)
        try nodes.await(["other"], on: 1, .finished)
    }
}

extension ActedDevice {
    /// Acknowledges the node's next batch, and returns the titles of current activities in it, or “deleted”.
    func nextTitles() throws -> [String] {
        while let message = try next() {
            guard case .batch(let batch) = message else { continue }
            say(.acknowledgement(batch.number))
            return batch.writes.filter { $0.identity.kind == .currentActivity }.map { write in
                Record(write).activity?.activity.title ?? "deleted"
            }
        }
        throw DeadlinePassed(description: "the node hung up")
    }
}
