import BatonCore
import BatonNode
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
        for title in ["a", "b", "c"] { try app.update(title, instance: "last") }
        try nodes.await(["c", "20", "19"], on: 1)
        let changes = try watcher.changes(after: number)
        #expect(changes.changed.map(\.activity.title) == ["c"] && changes.gone == [])
    }

    @Test func `hears of this device's activities, what is dismissed, and what expires`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var app = try ActedApp(node)
        var watcher = try ActedApp(node)
        var number = try watcher.changes(after: nil).number
        let brief = try app.start("Brief") { $0.expiration = presentTime.advanced(by: .milliseconds(300)) }
        var changes = try watcher.changes(after: number)
        #expect(changes.changed.map(\.activity.title) == ["Brief"])
        changes = try watcher.changes(after: changes.number)
        #expect(changes.gone == [brief.identifier], "its time is over")
        number = changes.number
        let draft = try app.start("Draft", instance: "2")
        changes = try watcher.changes(after: number)
        _ = try node.ask(.forget(draft.identifier, everywhere: false))
        changes = try watcher.changes(after: changes.number)
        #expect(changes.gone.contains(draft.identifier))
    }

    @Test func `that missed more than is remembered asks for all anew`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var app = try ActedApp(node)
        var watcher = try ActedApp(node)
        let number = try watcher.changes(after: nil).number
        for instance in 0...ActivityChangeLog.most { try app.start("x", instance: "\(instance)") }
        let changes = try watcher.changes(after: number)
        #expect(changes.isAnew && changes.changed.isEmpty && changes.number > number)
        // Nor does a number of another time mean anything.
        #expect(try watcher.changes(after: 1).isAnew)
        #expect(try watcher.changes(after: .max).isAnew)
        try app.update("y", instance: "0")
        #expect(try watcher.changes(after: changes.number).changed.map(\.activity.title) == ["y"])
    }
}
