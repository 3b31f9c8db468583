import BatonCore
import BatonStore
import Foundation

/// The thread that owns a store: it does what is waiting with one commit, as a node's does.
///
/// Sendable because what changes is touched only while the condition is held, and the store only on the thread.
final class StoreWorker: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [Job] = []
    private var isEnding = false
    private let store: SQLiteStore

    typealias Work = (SQLiteStore) throws(StoreFailure) -> Void

    /// Something to be done, and whom to tell how it went.
    private struct Job {
        let work: Work
        let ticket: Ticket
    }

    /// Whether a job is done, and when it was.
    private final class Ticket: @unchecked Sendable {
        var result: Result<ContinuousClock.Instant, StoreFailure>?
    }

    init(_ store: SQLiteStore) {
        self.store = store
        let thread = Thread { [self] in serve() }
        thread.start()
    }

    /// Has the thread do something, and waits until that is kept.
    ///
    /// The closure that names it is called in the order of the jobs.
    @discardableResult
    func perform(_ make: () throws -> Work) throws -> Duration {
        condition.lock()
        defer { condition.unlock() }
        let ticket = Ticket()
        let started = ContinuousClock.now
        waiting.append(Job(work: try make(), ticket: ticket))
        condition.broadcast()
        while true {
            if let result = ticket.result { return try result.get() - started }
            condition.wait()
        }
    }

    /// Ends the thread once nothing waits.
    func finish() {
        condition.lock()
        isEnding = true
        condition.broadcast()
        condition.unlock()
    }

    private func serve() {
        while let jobs = take() {
            let store = store
            let result = Result { () throws(StoreFailure) in
                try store.group { () throws(StoreFailure) in
                    for job in jobs { try job.work(store) }
                }
                return ContinuousClock.now
            }
            condition.lock()
            for job in jobs { job.ticket.result = result }
            condition.broadcast()
            condition.unlock()
        }
    }

    private func take() -> [Job]? {
        condition.lock()
        defer { condition.unlock() }
        while waiting.isEmpty {
            if isEnding { return nil }
            condition.wait()
        }
        defer { waiting = [] }
        return waiting
    }
}
