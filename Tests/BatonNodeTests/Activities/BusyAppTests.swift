import BatonCore
import BatonNode
import Foundation
import Support
import Synchronization
import Testing

/// An app that changes its activity without a pause.
///
/// `BATON_BUSY_SECONDS` sets the duration.
@Suite struct `A busy app` {
    private static let seconds =
        ProcessInfo.processInfo.environment["BATON_BUSY_SECONDS"].flatMap { Int($0) } ?? 1
    /// The number of open requests that a connection may have, so that the node is always busy.
    private static let unanswered = 16

    @Test
    func `a busy app delays no other client, and its changes reach other devices at a bounded rate`()
        throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder, "first")
        try node.admit("second")
        let other = OtherDevice(try RunningNode.home(folder, "second"), callingPort: node.port)
        var app = try ActedApp(node)
        try app.start("0")
        try eventually("the activity on the other device") { other.titles.last == "0" }
        let began = ContinuousClock.now
        // Other tests run on the machine at the same time, so one fast round of several is enough.
        var (longest, changes): ([Duration], Int) = ([], 0)
        repeat {
            longest.append(try Self.change(&app, &changes, beside: node))
        } while longest.allSatisfy { $0 > .milliseconds(100) } && longest.count < 10
        let took = ContinuousClock.now - began
        try eventually("the last state elsewhere: \(other.failure)") { other.titles.last == "\(changes)" }
        let crossed = other.titles.count - 1
        let most = Int((took + .seconds(1)) / Limits().publishingPause) + Limits().publishedAtOnce
        print("A busy app: \(changes) changes in \(took), \(crossed) crossed, others waited \(longest)")
        #expect(crossed <= most, "\(crossed) in \(took)")
        #expect(longest.contains { $0 <= .milliseconds(100) }, "another client waited for \(longest)")
        #expect(try node.titles() == ["\(changes)"])
    }

    /// Makes 10,000 changes for each second, as fast as the node accepts them; returns the longest wait of another
    /// client.
    private static func change(
        _ app: inout ActedApp, _ changes: inout Int, beside node: RunningNode
    ) throws -> Duration {
        var questions: [ActedApp.Question<UpdateActivity>] = []
        var other = try node.connect()
        var longest = Duration.zero
        for number in 1...10_000 * seconds {
            changes += 1
            var change = ActivityChange()
            change.title = "\(changes)"
            questions.append(try app.begin(UpdateActivity(.instance(app: app.app, instance: "1"), change)))
            if questions.count == unanswered { try expectKept(questions.removeFirst(), &app) }
            guard number % 500 == 0 else { continue }
            let asked = ContinuousClock.now
            _ = try other.ask(GetSettings())
            longest = max(longest, ContinuousClock.now - asked)
        }
        for question in questions { try expectKept(question, &app) }
        return longest
    }

    private static func expectKept(
        _ question: ActedApp.Question<UpdateActivity>, _ app: inout ActedApp
    ) throws {
        _ = try app.answer(to: question).get()
    }
}

/// A device that acknowledges all batches on a thread of its own, and collects the titles in them.
private final class OtherDevice: Sendable {
    private let state = Mutex<(titles: [String], failure: String)>(([], ""))

    init(_ home: Home, callingPort port: UInt16) {
        detach { [self] in
            do {
                let device = try ActedDevice(home, callingPort: port)
                while true {
                    let titles = try device.nextTitles()
                    state.withLock { $0.titles += titles }
                }
            } catch {
                state.withLock { $0.failure = "\(error)" }
            }
        }
    }

    var titles: [String] { state.withLock { $0.titles } }
    var failure: String { state.withLock { $0.failure } }
}
