import BatonCore
import Foundation
import Support

/// The messages of apps to their nodes.
extension AppScript {
    private static let app = "org.example.editor"
    private static let index = ClientStateName(app: app, index: "main")

    /// One app changes its current activity, which has 512 bytes; the other is told of changes.
    static func activities() throws -> AppScript {
        let space = changeBytes - activity(padding: 0, mark(1)).fields.encodedCount
        let start = StartActivity(
            app: app, instance: "window", lifetime: .untilFinished, type: "org.example.edit",
            change: change(padding: space, mark(0)))
        return AppScript(
            opening: hello + (try start.frame(number: 1).encoded),
            change: { number in
                let target = ActivityTarget.instance(app: app, instance: "window")
                let request = UpdateActivity(target, change(padding: space, mark(number)))
                return try request.frame(number: UInt64(number) + 1).encoded
            },
            listening: hello, question: try WatchActivities(after: nil).frame(number: 1).encoded,
            how: "watched")
    }

    /// One app writes a batch of one item, with its client state; the other asks for that without a pause, since
    /// nobody tells.
    static func batches() throws -> AppScript {
        AppScript(
            opening: hello,
            change: { number in
                let batch = UInt64(number)
                let item = IndexChange.item("message-\(number)", item(number))
                let ending = EndBatch(index, batch: batch, count: 1, state: Array(mark(number).utf8))
                return try ChangeIndex(index, at: BatchPlace(batch, offset: 0), [item])
                    .frame(number: 2 * batch).encoded
                    + ending.frame(number: 2 * batch + 1).encoded
            },
            listening: hello, question: try GetClientState(index).frame(number: 1).encoded,
            how: "asked")
    }

    private static var hello: [UInt8] { LocalHello(build: Build.version, process: getpid()).frame.encoded }

    private static func change(padding: Int, _ mark: String) -> ActivityChange {
        var change = ActivityChange()
        change.title = "A document"
        change.set = [.string("state"): .string(String(repeating: ".", count: padding) + mark)]
        return change
    }

    private static func activity(padding: Int, _ mark: String) -> Activity {
        var activity = Activity(type: "org.example.edit", started: WallTime(milliseconds: 1_790_000_000_000))
        change(padding: padding, mark).apply(to: &activity)
        return activity
    }

    /// An item of as many bytes as a change has elsewhere.
    private static func item(_ number: Int) -> Item {
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string("Message \(number)"))
        attributes[.contentDescription] = .plain(.string(description))
        return Item(domain: "mail", attributes: attributes)
    }

    private static let description: String = {
        var words = Words(seed: 9)
        return String((0..<100).map { _ in words.word() }.joined(separator: " ").prefix(changeBytes - 40))
    }()
}
