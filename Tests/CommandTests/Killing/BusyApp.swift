import BatonClient
import BatonCore
import Support
import Synchronization
import Testing

/// An app that writes as fast as its node acknowledges, over one connection, until the connection breaks.
///
/// Each write has its number in several fields, so that a partial write is detected.
final class BusyApp: Sendable {
    /// The instances of this app, each with at most one activity.
    let instances: [String]
    private let home: Home
    private let seed: UInt64
    private let state = Mutex(State())

    private struct State {
        var known: [String: Known] = [:]
        var count = 0
        var isWriting = false
        /// Why the last connection ended.
        var end: String?
    }

    /// The number of the present activity, or nil if there is none.
    private struct Known {
        var acknowledged: Int?
        /// The requests since then that were not answered, in order.
        ///
        /// The node may have sent one to the other machine and lost it itself: then it comes back when the two connect.
        var asked: [Int?] = []
    }

    /// A call of the app, and the number of the activity after it.
    private struct Wish {
        let call: any LocalCall
        let number: Int?
    }

    init(_ number: Int, _ home: Home, seed: UInt64) {
        (self.home, self.seed) = (home, seed &+ UInt64(number))
        instances = (0..<3).map { "app\(number).\($0)" }
    }

    // MARK: Writing

    /// Connects, and writes on a thread of its own until the connection breaks.
    func begin() {
        state.withLock { $0.isWriting = true }
        detach { [self] in
            do throws(LocalFailure) {
                var connection = try NodeConnection(home)
                while true { try write(over: &connection) }
            } catch {
                state.withLock { ($0.isWriting, $0.end) = (false, error.text) }
            }
        }
    }

    private func write(over connection: inout NodeConnection) throws(LocalFailure) {
        let (instance, wish) = draw()
        try Self.make(wish.call, over: &connection)
        state.withLock { state in
            state.known[instance] = Known(acknowledged: wish.number)
            state.count += 1
        }
    }

    private static func make(
        _ call: some LocalCall, over connection: inout NodeConnection
    ) throws(LocalFailure) { _ = try connection.ask(call) }

    /// Chooses what to write, and records the call.
    private func draw() -> (String, Wish) {
        state.withLock { state in
            var generator = SeededGenerator(seed: seed &+ UInt64(state.count) &* 1000)
            let instance = generator.pick(instances)
            let known = state.known[instance] ?? Known()
            // If the state is unknown, only a start is certain to succeed.
            let isThere = known.acknowledged != nil && known.asked.isEmpty
            let wish = Self.wish(&generator, instance, state.count, isThere: isThere)
            state.known[instance, default: Known()].asked.append(wish.number)
            return (instance, wish)
        }
    }

    private static func wish(
        _ generator: inout SeededGenerator, _ instance: String, _ number: Int, isThere: Bool
    ) -> Wish {
        var change = ActivityChange()
        change.title = "\(number)"
        change.keywords = ["\(number)"]
        change.set = [
            .string("number"): .integer(Int64(number)),
            .string("filling"): .data([UInt8](repeating: 7, count: generator.pick([1, 100, 5000]))),
        ]
        let target = ActivityTarget.instance(app: ShellInstance.app, instance: instance)
        switch isThere ? generator.number(0...4) : 0 {
        case 1: return Wish(call: FinishActivity(target), number: nil)
        case 2, 3: return Wish(call: UpdateActivity(target, change), number: number)
        default:
            let start = StartActivity(
                app: ShellInstance.app, instance: instance, lifetime: .untilFinished, type: "x",
                change: change)
            return Wish(call: start, number: number)
        }
    }

    // MARK: Queries

    /// The number of acknowledged writes.
    var count: Int { state.withLock { $0.count } }

    var isWriting: Bool { state.withLock { $0.isWriting } }

    /// Why it stopped writing.
    var end: String { state.withLock { $0.end ?? "it writes" } }

    /// Compares with a node's list: it has the acknowledged state, or that of a later unanswered request.
    ///
    /// The list counts as known from then on.
    func check(_ listed: [ActivitySummary], _ comment: Comment) throws {
        for instance in instances {
            let found = listed.filter { $0.instance == instance }
            #expect(found.count <= 1, "one instance has one activity; \(comment)")
            let number = try found.first.map { try Self.number(of: $0, comment) }
            state.withLock { state in
                var known = state.known[instance] ?? Known()
                let place = known.asked.lastIndex(of: number)
                #expect(
                    number == known.acknowledged || place != nil,
                    "\(instance): found \(number as Int?), acknowledged \(known.acknowledged as Int?), asked \(known.asked); \(comment)"
                )
                known.acknowledged = number
                // Later requests may still come back.
                if let place { known.asked.removeFirst(place + 1) }
                state.known[instance] = known
            }
        }
    }

    /// The number that is in all fields of an activity.
    private static func number(of summary: ActivitySummary, _ comment: Comment) throws -> Int {
        let activity = summary.activity
        let number = try #require(activity.title.flatMap { Int($0) }, "a number as title; \(comment)")
        #expect(activity.keywords == ["\(number)"], "the keywords of \(number); \(comment)")
        #expect(
            activity.info[.string("number")] == .integer(Int64(number)),
            "the payload of \(number); \(comment)")
        return number
    }
}
