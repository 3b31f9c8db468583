import BatonCore
import BatonNode
import BatonStore
import Foundation

/// A store as a node has it, with the threads of a node, of which any thread may ask something and wait for the answer.
///
/// Sendable because what changes, and the threads are told by one thread alone, is touched only while the lock is held.
final class LiveStore: @unchecked Sendable {
    private let threads: StoreThreads
    private let lock = NSLock()
    private var journal = Journal(life: Life(high: 1, low: 1), latest: .zero)
    private var now = WallTime(milliseconds: 1_800_000_000_000)

    /// Opens the store in a folder that is filled by now; the witness of its journal lies there, too.
    init(_ folder: String) throws {
        let witness = Witness(
            path: folder + "/witness", account: FilledStore.account,
            device: DeviceIdentifier(high: 1, low: 1), bootID: "benchmark")
        let opened = Answer<Void>()
        threads = try StoreThreads(folder: folder, account: FilledStore.account, witness: witness) { report in
            report.tell { opened.give($0.map { _ in }) }
        }
        _ = try opened.take()
        let contents = Answer<(Witness.Opening, HybridTime)>()
        threads.submitToAccount { (store) throws(StoreFailure) in
            var generator = SystemRandomNumberGenerator()
            return (try witness.open(store, using: &generator), try store.summary().clock)
        } then: {
            contents.give($0)
        }
        let ((opening, clock), _) = try contents.take()
        journal = Journal(life: opening.life, latest: clock, after: opening.sequences)
    }

    /// Has something done in a lane, and waits until it is kept; answers with how long that took, too.
    func perform<Value: Sendable>(
        in lane: Lane, durably: Bool = false,
        _ work: @escaping @Sendable (any LaneStore) throws(StoreFailure) -> Value
    ) throws -> (value: Value, time: Duration) {
        let (answer, started) = (Answer<Value>(), ContinuousClock.now)
        lock.withLock { threads.submit(to: lane, durably: durably, work) { answer.give($0) } }
        let (value, ended) = try answer.take()
        return (value, ended - started)
    }

    /// Names something and has it kept; what is named first comes first.
    @discardableResult
    func keep(
        in lane: Lane, durably: Bool = false,
        naming name: (inout Journal, WallTime) -> StoreTransaction?
    ) throws -> Duration {
        let (answer, started) = (Answer<StoreCommit>(), ContinuousClock.now)
        try lock.withLock {
            now = now.advanced(by: .milliseconds(200))
            guard let transaction = name(&journal, now) else {
                throw BenchmarkFailure("items are larger than the limits allow")
            }
            threads.submit(to: lane, durably: durably) { (store) throws(StoreFailure) in
                try store.commit(transaction)
            } then: {
                answer.give($0)
            }
        }
        return try answer.take().kept - started
    }

    /// Ends the threads once nothing waits.
    func finish() { threads.finish() }
}

/// The result of a request, and the time at which it was known.
///
/// Sendable because its state is only touched while the condition is held.
private final class Answer<Value>: @unchecked Sendable {
    private let condition = NSCondition()
    private var result: Result<(value: Value, kept: ContinuousClock.Instant), StoreFailure>?

    func give(_ result: Result<Value, StoreFailure>) {
        condition.lock()
        self.result = result.map { ($0, .now) }
        condition.signal()
        condition.unlock()
    }

    /// Waits for it.
    func take() throws -> (value: Value, kept: ContinuousClock.Instant) {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let result { return try result.get() }
            condition.wait()
        }
    }
}
