import BatonClient
import BatonCore
import Foundation
import Support
import Synchronization
import Testing

/// A node that is killed while an app indexes in batches has all of one batch, at least the last acknowledged one.
///
/// `BATON_KILLS` sets the number of kills; `BATON_SEED` repeats one run, as far as moments can be repeated.
@Suite struct `Killing a node during batches` {
    private static let kills =
        (ProcessInfo.processInfo.environment["BATON_KILLS"].flatMap { Int($0) } ?? 50) / 5

    @Test func `a node killed during a batch has either all of the batch with its state, or nothing`() throws
    {
        let seed = Seeds.replayed ?? UInt64.random(in: 1...UInt64(UInt32.max))
        var generator = SeededGenerator(seed: seed)
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        let home = try Home(option: laptop.home) { _ in nil }
        let app = BatchingApp(home, seed: seed)
        for kill in 0..<Self.kills {
            let comment: Comment = "kill \(kill), BATON_SEED=\(seed)"
            let count = app.acknowledged + generator.number(0...3)
            app.begin()
            try eventually("batch \(count); \(app.end); \(laptop.log)") {
                app.acknowledged >= count || !app.isWriting
            }
            #expect(app.isWriting, "\(app.end); \(comment)")
            usleep(UInt32(generator.number(0...150_000)))
            laptop.killNode()
            try eventually("the end of the connection") { !app.isWriting }
            try laptop.startNode()
            var connection = try NodeConnection(home)
            try app.check(&connection, comment)
        }
        for machine in account.machines { try machine.waitUntilInStep() }
        var connection = try NodeConnection(try Home(option: desktop.home) { _ in nil })
        try eventually("the last state on the other machine") {
            try connection.ask(GetClientState(BatchingApp.index)).state == app.state
        }
        try app.check(&connection, "on the other machine, BATON_SEED=\(seed)")
        #expect(app.acknowledged > Self.kills / 2)
        print(
            "Killing a node in batches: \(app.acknowledged) were acknowledged, \(Self.kills) kills took none")
    }
}

/// An app that rewrites all items of its index with each batch, over one connection, until the connection breaks.
private final class BatchingApp: Sendable {
    static let index = ClientStateName(app: "org.example.batches", index: "all")
    private let home: Home
    private let seed: UInt64
    private let progress = Mutex(Progress())

    private struct Progress {
        /// The last acknowledged batch, and the one in progress.
        var acknowledged = 0, asked = 0
        var isWriting = false
        var end = "it writes"
    }

    init(_ home: Home, seed: UInt64) { (self.home, self.seed) = (home, seed) }

    var acknowledged: Int { progress.withLock { $0.acknowledged } }
    var isWriting: Bool { progress.withLock { $0.isWriting } }
    var end: String { progress.withLock { $0.end } }
    /// The state that was last found.
    var state: [UInt8] { Array("\(acknowledged)".utf8) }

    func begin() {
        progress.withLock { $0.isWriting = true }
        detach { [self] in
            do throws(LocalFailure) {
                var connection = try NodeConnection(home)
                while true { try write(over: &connection) }
            } catch {
                progress.withLock { ($0.isWriting, $0.end) = (false, error.text) }
            }
        }
    }

    /// The number of items of a batch: some sizes fit one transaction, others are merged after the end.
    private static func count(of batch: Int, _ seed: UInt64) -> Int {
        var generator = SeededGenerator(seed: seed &+ UInt64(batch))
        return generator.pick([3, 300, 700])
    }

    private func write(over connection: inout NodeConnection) throws(LocalFailure) {
        let batch = progress.withLock { progress in
            progress.asked = progress.acknowledged + 1
            return progress.asked
        }
        let number = UInt64(batch)
        _ = try connection.ask(
            ChangeIndex(Self.index, at: BatchPlace(number, offset: 0), [.clear(domain: nil)]))
        let count = Self.count(of: batch, seed)
        for first in stride(from: 0, to: count, by: 100) {
            let changes = (first..<min(count, first + 100)).map { item($0, of: batch) }
            let place = BatchPlace(number, offset: 1 + first)
            _ = try connection.ask(ChangeIndex(Self.index, at: place, changes))
        }
        _ = try connection.ask(
            EndBatch(Self.index, batch: number, count: 1 + count, state: Array("\(batch)".utf8)))
        progress.withLock { $0.acknowledged = batch }
    }

    private func item(_ number: Int, of batch: Int) -> IndexChange {
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string("batch\(batch) item\(number)"))
        attributes[.contentDescription] = .plain(.string(String(repeating: "text ", count: 50)))
        return .item("\(number)", Item(attributes: attributes))
    }

    /// Checks that all of one batch is there: the acknowledged one or the one that was requested.
    func check(_ connection: inout NodeConnection, _ comment: Comment) throws {
        let state = try connection.ask(GetClientState(Self.index)).state
        let found = state.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
        let (acknowledged, asked) = progress.withLock { ($0.acknowledged, $0.asked) }
        #expect(
            found == acknowledged || found == asked,
            "found \(found), acknowledged \(acknowledged), asked \(asked); \(comment)")
        progress.withLock { ($0.acknowledged, $0.asked) = (found, found) }
        guard found > 0 else { return }
        let count = Self.count(of: found, seed)
        for number in [0, 1, 2, count / 2, count - 1] {
            try eventually("item \(number) of batch \(found); \(comment)") {
                try connection.ask(SearchItems("batch\(found) item\(number) ", most: 10)).items.count == 1
            }
        }
        let others = try connection.ask(SearchItems("text", most: 100)).items.filter {
            $0.title?.hasPrefix("batch\(found) ") != true
        }
        #expect(others.isEmpty, "of other batches: \(others.compactMap(\.title).prefix(3)); \(comment)")
        #expect(
            try connection.ask(SearchItems("item\(count)", most: 1)).items.isEmpty,
            "more than there is; \(comment)")
    }
}
