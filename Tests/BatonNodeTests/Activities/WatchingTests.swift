import BatonCore
import BatonNode
import Support
import Testing

/// Requests for the changes of the list of activities.
@Suite struct `Watching activities` {
    @Test func `a watcher gets the last state of every activity, with changes merged`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        var app = try ActedApp(nodes[0])
        var watcher = try ActedApp(nodes[1])
        let begun = try watcher.changes(after: nil)
        #expect(begun.isAnew && begun.changed.isEmpty)
        var (number, shown) = (begun.number, [String: String]())
        for round in 1...20 { try app.start("\(round)", instance: "\(round % 3)") }
        try app.finish(instance: "0")
        try app.start("end", instance: "last")
        try nodes.await(["19", "20", "end"], on: 1)
        while shown.values.sorted() != ["19", "20", "end"] {
            let changes = try watcher.changes(after: number)
            #expect(!changes.isAnew && changes.number > number)
            number = changes.number
            for summary in changes.changed { shown[summary.identifier] = summary.activity.title }
            for identifier in changes.gone { shown[identifier] = nil }
        }
        let list = try nodes[1].list()
        #expect(
            shown == Dictionary(uniqueKeysWithValues: list.map { ($0.identifier, $0.activity.title ?? "") }))
        // Changes between two requests are merged.
        for title in ["a", "b", "c"] {
            try app.update(title, instance: "last")
            try nodes.await([title, "20", "19"], on: 1)
        }
        let changes = try watcher.changes(after: number)
        #expect(changes.changed.map(\.activity.title) == ["c"] && changes.gone == [])
    }

    @Test func `a watcher is sent local activities, dismissals and expirations`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var app = try ActedApp(node)
        var watcher = try ActedApp(node)
        var number = try watcher.changes(after: nil).number
        let brief = try app.start("Brief") { $0.expiration = presentTime.advanced(by: .seconds(4)) }
        var changes = try watcher.changes(after: number)
        #expect(changes.changed.map(\.activity.title) == ["Brief"])
        changes = try watcher.changes(after: changes.number)
        #expect(changes.gone == [brief.identifier], "the expired activity is not gone")
        number = changes.number
        let draft = try app.start("Draft", instance: "2")
        changes = try watcher.changes(after: number)
        _ = try node.ask(ForgetActivity(draft.identifier, everywhere: false))
        changes = try watcher.changes(after: changes.number)
        #expect(changes.gone.contains(draft.identifier))
    }

    @Test func `a watcher is sent the expiration of an activity whose device is not connected`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        var app = try ActedApp(nodes[0])
        let watcher = try Watcher(nodes[1])
        try watcher.ask()
        let end = presentTime.advanced(by: .seconds(3))
        try app.start("Brief") { $0.expiration = end }
        try watcher.take()
        #expect(watcher.shown == ["Brief"])
        try nodes.await(["Brief"], on: 1)
        // This watcher starts late, and has the activity from the list.
        let late = try Watcher(nodes[1])
        try nodes.stop(0)
        for watcher in [watcher, late] {
            try watcher.ask()
            try watcher.take()
        }
        #expect(presentTime >= end && watcher.shown == [])
        #expect(try nodes[1].titles() == [])
    }

    @Test func `a watcher that missed too many changes must relist everything`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var app = try ActedApp(node)
        var watcher = try ActedApp(node)
        let number = try watcher.changes(after: nil).number
        for instance in 0...ActivityChangeLog.most {
            try app.start("x", instance: "\(instance)")
            if instance > 0 { try app.finish(instance: "\(instance)") }
        }
        let changes = try watcher.changes(after: number)
        #expect(changes.isAnew && changes.changed.isEmpty && changes.number > number)
        // Numbers that this node did not give have to list everything again, too.
        #expect(try watcher.changes(after: 1).isAnew)
        #expect(try watcher.changes(after: .max).isAnew)
        try app.update("y", instance: "0")
        #expect(try watcher.changes(after: changes.number).changed.map(\.activity.title) == ["y"])
    }

    @Test func `a watcher is sent a correction if the store refuses an announced change`() throws {
        // A refused change is sent again after the nodes reconnect, which is long after the correction.
        let nodes = try ConnectedNodes(["near", "far"]) {
            $0.redialTime = .milliseconds(500)...Duration.milliseconds(1000)
        }
        var app = try ActedApp(nodes[0])
        let watcher = try Watcher(nodes[1])
        for (title, instance) in [("Draft", "1"), ("Other", "2")] {
            try watcher.ask()
            try app.start(title, instance: instance)
            try watcher.take()
        }
        #expect(watcher.shown == ["Draft", "Other"])
        try nodes.await(["Draft", "Other"], on: 1)
        let file = nodes[1].home.account() + "/activities.sqlite"
        let fault = "CREATE TRIGGER fault BEFORE UPDATE ON records BEGIN SELECT RAISE(ABORT, 'full'); END"
        try SQLiteScript.run(fault, on: file)
        // A change is announced before it is stored, and corrected each time it can't be stored.
        try watcher.ask()
        try app.update("Draft, told")
        try watcher.take()
        #expect(watcher.shown == ["Draft, told", "Other"])
        try watcher.ask()
        try watcher.take()
        #expect(watcher.shown == ["Draft", "Other"])
        try app.finish(instance: "2")
        try watcher.take(until: ["Draft, told"])
        try watcher.take(until: ["Draft", "Other"])
        #expect(try nodes[1].titles().sorted() == ["Draft", "Other"])
        // The change is announced once more when it is stored.
        try SQLiteScript.run("DROP TRIGGER fault", on: file)
        try nodes.await(["Draft, told"], on: 1)
        try watcher.take(until: ["Draft, told"])
        #expect(nodes[1].lines.contains { $0.contains("full") }, "\(nodes[1].lines)")
    }

    @Test func `64 watchers are sent the same changes although some are slow`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        var app = try ActedApp(nodes[0])
        let watchers = try (0..<64).map { _ in try Watcher(nodes[1]) }
        for watcher in watchers { try watcher.ask() }
        try app.start("1")
        // All get the first change, and half of them don't request the next one.
        for watcher in watchers { try watcher.take() }
        #expect(watchers.allSatisfy { $0.shown == ["1"] && $0.number == watchers[0].number })
        for watcher in watchers.prefix(32) { try watcher.ask() }
        try app.start("2", instance: "2")
        for watcher in watchers.prefix(32) { try watcher.take() }
        #expect(watchers.prefix(32).allSatisfy { $0.shown == ["1", "2"] })
        for watcher in watchers.prefix(32) { try watcher.ask() }
        try app.finish()
        for watcher in watchers.prefix(32) { try watcher.take() }
        for watcher in watchers.suffix(32) {
            try watcher.ask()
            try watcher.take()
        }
        #expect(watchers.allSatisfy { $0.shown == ["2"] && $0.number == watchers[0].number })
    }
}

/// A watcher that keeps the titles it should show.
private final class Watcher {
    private var app: ActedApp
    private var question: ActedApp.Question<WatchActivities>?
    private(set) var number: UInt64
    private var titles: [String: String] = [:]

    init(_ node: RunningNode) throws {
        var app = try ActedApp(node)
        number = try app.changes(after: nil).number
        self.app = app
    }

    var shown: [String] { titles.values.sorted() }

    /// Requests the next changes, without waiting for them.
    func ask() throws { question = try app.begin(WatchActivities(after: number)) }

    /// Requests and takes changes until these titles are shown.
    func take(until titles: [String]) throws {
        try eventually("\(titles) shown to a watcher: \(shown)") {
            try ask()
            try take()
            return shown == titles
        }
    }

    /// Waits for the requested changes, and applies them.
    func take() throws {
        guard let question, case .success(let changes) = try app.answer(to: question) else {
            throw DeadlinePassed(description: "no changes")
        }
        number = changes.number
        for summary in changes.changed { titles[summary.identifier] = summary.activity.title }
        for identifier in changes.gone { titles[identifier] = nil }
    }
}
