import BatonCore
import BatonNode
import BatonStore
import CSQLite
import Support
import Testing

/// Who watches what is going on.
@Suite struct `A watcher` {
    @Test func `hears of every activity, as it is in the end, and of changes meanwhile as one`() throws {
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
        // What happens while nobody asks is told as one change.
        for title in ["a", "b", "c"] {
            try app.update(title, instance: "last")
            try nodes.await([title, "20", "19"], on: 1)
        }
        let changes = try watcher.changes(after: number)
        #expect(changes.changed.map(\.activity.title) == ["c"] && changes.gone == [])
    }

    @Test func `hears of this device's activities, what is dismissed, and what expires`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var app = try ActedApp(node)
        var watcher = try ActedApp(node)
        var number = try watcher.changes(after: nil).number
        let brief = try app.start("Brief") { $0.expiration = presentTime.advanced(by: .seconds(4)) }
        var changes = try watcher.changes(after: number)
        #expect(changes.changed.map(\.activity.title) == ["Brief"])
        changes = try watcher.changes(after: changes.number)
        #expect(changes.gone == [brief.identifier], "its time is over")
        number = changes.number
        let draft = try app.start("Draft", instance: "2")
        changes = try watcher.changes(after: number)
        _ = try node.ask(ForgetActivity(draft.identifier, everywhere: false))
        changes = try watcher.changes(after: changes.number)
        #expect(changes.gone.contains(draft.identifier))
    }

    @Test func `hears of what expires where nobody is left who could say so`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        var app = try ActedApp(nodes[0])
        let watcher = try Watcher(nodes[1])
        try watcher.ask()
        let end = presentTime.advanced(by: .seconds(3))
        try app.start("Brief") { $0.expiration = end }
        try watcher.take()
        #expect(watcher.shown == ["Brief"])
        try nodes.await(["Brief"], on: 1)
        // Who has not heard of its beginning sees it in the list.
        let late = try Watcher(nodes[1])
        try nodes.stop(0)
        for watcher in [watcher, late] {
            try watcher.ask()
            try watcher.take()
        }
        #expect(presentTime >= end && watcher.shown == [])
        #expect(try nodes[1].titles() == [])
    }

    @Test func `that missed more than is remembered asks for all anew`() throws {
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
        // Nor does a number of another time mean anything.
        #expect(try watcher.changes(after: 1).isAnew)
        #expect(try watcher.changes(after: .max).isAnew)
        try app.update("y", instance: "0")
        #expect(try watcher.changes(after: changes.number).changed.map(\.activity.title) == ["y"])
    }

    @Test func `is told the truth again where a store refuses what was told`() throws {
        // What the disk did not take comes once more as the two meet anew, which is long after that was told.
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
        let fault = "CREATE TRIGGER fault BEFORE INSERT ON writes BEGIN SELECT RAISE(ABORT, 'full'); END"
        try Self.run(fault, file)
        // Whatever comes is told before it is kept, and each time it is not, that is taken back.
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
        // A disk that takes it again has the last word.
        try Self.run("DROP TRIGGER fault", file)
        try nodes.await(["Draft, told"], on: 1)
        try watcher.take(until: ["Draft, told"])
        #expect(nodes[1].lines.contains { $0.contains("full") }, "\(nodes[1].lines)")
    }

    /// Has the disk do something behind the node's back.
    private static func run(_ script: String, _ path: String) throws {
        var handle: OpaquePointer?
        let files = try CheckedFileSystem(over: nil)
        try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, files.name) == SQLITE_OK)
        try #require(sqlite3_busy_timeout(handle, 10_000) == SQLITE_OK)
        try #require(sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK)
        withExtendedLifetime(files) { _ = sqlite3_close(handle) }
    }

    @Test func `is one of 64 that all hear the same, also while some of them are slow`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        var app = try ActedApp(nodes[0])
        let watchers = try (0..<64).map { _ in try Watcher(nodes[1]) }
        for watcher in watchers { try watcher.ask() }
        try app.start("1")
        // All are told by the one change; half of them don't ask for the next.
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

/// Who watches, and knows what is shown by now.
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

    /// Asks what changes next, and does not wait for it.
    func ask() throws { question = try app.begin(WatchActivities(after: number)) }

    /// Takes what changes, until that is shown.
    func take(until titles: [String]) throws {
        try eventually("\(titles) shown to a watcher: \(shown)") {
            try ask()
            try take()
            return shown == titles
        }
    }

    /// Takes what changed.
    func take() throws {
        guard let question, case .success(let changes) = try app.answer(to: question) else {
            throw DeadlinePassed(description: "no changes")
        }
        number = changes.number
        for summary in changes.changed { titles[summary.identifier] = summary.activity.title }
        for identifier in changes.gone { titles[identifier] = nil }
    }
}
