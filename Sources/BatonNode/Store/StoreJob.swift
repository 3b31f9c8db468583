import BatonCore
import BatonStore
import Synchronization

/// A line of jobs for one purpose, such as a session.
///
/// In each lane, a job is performed only if all earlier jobs of the line have succeeded.
///
/// The first failure is recorded separately for each lane. While one lane tries a failed job again, the other lane must
/// not perform jobs that depend on a failed job in that lane. The class is Sendable although it is mutable: only the
/// thread that has a lane reads and writes the failure of this lane.
package final class StoreLine: @unchecked Sendable {
    /// The first failure in each lane.
    ///
    /// These are two properties and not a `PerLane`: reading one half of a struct may read all of it, while another
    /// thread writes the other half.
    private var (activities, index): (StoreFailure?, StoreFailure?)
    /// The line on which this line depends.
    ///
    /// After a failure in the base line, no job of this line is performed in the same lane.
    private let base: StoreLine?
    /// Whether no more jobs may be performed.
    ///
    /// The loop sets this while the threads are working.
    private let cancelled = Atomic(false)

    package init(behind base: StoreLine? = nil) { self.base = base }

    /// Makes all submitted jobs fail that have not begun.
    package func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// Whether the line was cancelled.
    ///
    /// After that, failures of its jobs only mean that nobody wants the results.
    package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    /// Returns the reason why the next job in a lane must not be performed; nil if the job may be performed.
    fileprivate func refusal(in lane: Lane) -> StoreFailure? {
        isCancelled
            ? StoreFailure(.failed, "the request was cancelled") : self[lane] ?? base?.refusal(in: lane)
    }

    fileprivate subscript(lane: Lane) -> StoreFailure? {
        get { lane == .activities ? activities : index }
        set { if lane == .activities { activities = newValue } else { index = newValue } }
    }
}

/// A request to the store, which the loop passes to a thread of the store, and the thread passes back.
///
/// The class is Sendable although it is mutable. Queues pass a job from the loop to a thread of the store and back, and
/// only one of them has the job at a time.
package class StoreJob: @unchecked Sendable {
    fileprivate let line: StoreLine?

    fileprivate init(in line: StoreLine?) { self.line = line }

    /// Reports the result to the caller.
    func tell() { preconditionFailure("a job has a type") }
}

/// The result of a job, and the closure that is called with the result.
private struct StoreOutcome<Value> {
    /// Called and released on the thread on which results are reported.
    private var then: ((Result<Value, StoreFailure>) -> Void)?
    var result: Result<Value, StoreFailure>?

    init(then: @escaping (Result<Value, StoreFailure>) -> Void) { self.then = then }

    mutating func tell() {
        guard let result, let then = then.take() else { preconditionFailure("a job is told once, when done") }
        then(result)
    }
}

// MARK: One lane

/// A job in one lane.
///
/// The closures are compiled for the type of the job's result. The methods of a generic class would look up that type
/// each time they run.
final class LaneJob: StoreJob, @unchecked Sendable {
    private let lane: Lane
    /// The work of the job; nil once the job is done.
    ///
    /// The writes of the job are thus released before its result is reported.
    private var carryOut: ((any LaneStore) throws(StoreFailure) -> Void)?
    private let keep: (StoreFailure) -> Void
    private let report: () -> Void
    /// Whether this job was the first of its line to fail.
    private var isFirstToFail = false
    /// The failure of the job if the job found damage; nil otherwise.
    private(set) var damage: StoreFailure?
    /// Whether the result must survive a power failure before it is reported.
    let isDurable: Bool
    /// The approximate number of bytes that the job writes; zero if the job writes only a few.
    let weight: Int
    /// Whether the store was told to close before this job was submitted.
    private var isLate = false

    init<Value: Sendable>(
        of lane: Lane, in line: StoreLine?, durably: Bool, weight: Int = 0,
        work: @escaping @Sendable (any LaneStore) throws(StoreFailure) -> Value,
        then: @escaping (Result<Value, StoreFailure>) -> Void
    ) {
        (self.lane, isDurable, self.weight) = (lane, durably, weight)
        var outcome = StoreOutcome(then: then)
        carryOut = { (store) throws(StoreFailure) in outcome.result = .success(try work(store)) }
        keep = { outcome.result = .failure($0) }
        report = { outcome.tell() }
        super.init(in: line)
    }

    override func tell() { report() }

    func perform(on store: any LaneStore) {
        do throws(StoreFailure) {
            if isLate { throw StoreHolder.closed }
            if let failure = line?.refusal(in: lane) { throw failure }
            guard let carryOut else { preconditionFailure("a job is not performed once it is done") }
            try carryOut(store)
        } catch {
            fail(error)
        }
    }

    func fail(_ failure: StoreFailure) {
        if let line, line[lane] == nil { (line[lane], isFirstToFail) = (failure, true) }
        if failure.damage != nil { damage = failure }
        keep(failure)
    }

    /// Marks the job as too late, because the store was told to close.
    ///
    /// The thread may reach the job before the store is closed. Even then, the job must have no effect.
    func refuse() { isLate = true }

    /// Releases the work of a job that is done.
    func finish() { carryOut = nil }

    /// Resets the job, so that it can be performed again.
    func forget() {
        guard isFirstToFail else { return }
        line?[lane] = nil
        isFirstToFail = false
    }
}

// MARK: The whole account

/// A job on the whole account.
class AccountJob: StoreJob, @unchecked Sendable {
    /// Whether activity jobs that are submitted later must wait for this job, too.
    ///
    /// Only the first job may do so. The loan for such a job is requested in advance. It could then be given before a
    /// loan that is needed first, and each thread would wait for the other thread.
    var holdsActivities: Bool { false }

    /// Performs the job.
    ///
    /// No other thread uses either lane at the same time.
    func perform(with holder: StoreHolder, before witness: Witness) {
        preconditionFailure("a job has a type")
    }
}

/// The first job, which opens the store.
final class OpeningStoreJob: AccountJob, @unchecked Sendable {
    override var holdsActivities: Bool { true }

    init() { super.init(in: nil) }

    override func perform(with holder: StoreHolder, before witness: Witness) { holder.open() }

    /// Reports nothing, because the holder has the result of the opening.
    override func tell() {}
}

/// A job that opens a read-only store for writing, if its disk can be written now.
final class ReopeningStoreJob: AccountJob, @unchecked Sendable {
    private let then: (StoreReopening) -> Void
    private var result = StoreReopening.done

    init(then: @escaping (StoreReopening) -> Void) {
        self.then = then
        super.init(in: nil)
    }

    override func perform(with holder: StoreHolder, before witness: Witness) {
        result = holder.reopen(before: witness)
    }

    override func tell() { then(result) }
}

/// A job that looks for damage and starts a rescue, as every job on the whole account does.
///
/// It can also report damage that a reader has found.
final class RescuingStoreJob: AccountJob, @unchecked Sendable {
    private let found: (failure: StoreFailure, opening: Int)?
    private let then: () -> Void

    /// Creates a job that looks for damage that the store's own connections have found.
    init() {
        (found, then) = (nil, {})
        super.init(in: nil)
    }

    /// Creates a job that reports damage that a reader has found in an opening of the store.
    init(after failure: StoreFailure, foundIn opening: Int, then: @escaping () -> Void) {
        (found, self.then) = ((failure, opening), then)
        super.init(in: nil)
    }

    override func perform(with holder: StoreHolder, before witness: Witness) {
        if let (failure, opening) = found { holder.recordFailure(failure, foundIn: opening) }
    }

    override func tell() { then() }
}

/// The last job of a store, which closes it.
final class ClosingStoreJob: AccountJob, @unchecked Sendable {
    private let work: @Sendable () throws(StoreFailure) -> Void
    private var outcome: StoreOutcome<Void>

    init(
        work: @escaping @Sendable () throws(StoreFailure) -> Void,
        then: @escaping (Result<Void, StoreFailure>) -> Void
    ) {
        (self.work, outcome) = (work, StoreOutcome(then: then))
        super.init(in: nil)
    }

    /// Closes the store, and then does the work.
    ///
    /// The work is done even if there is no store.
    override func perform(with holder: StoreHolder, before witness: Witness) {
        holder.close()
        outcome.result = Result { () throws(StoreFailure) in try work() }
    }
    override func tell() { outcome.tell() }
}

/// A job on the whole account that knows the type of its result.
///
/// The class is Sendable for the same reason as `StoreJob`.
final class TypedAccountJob<Value: Sendable>: AccountJob, @unchecked Sendable {
    private let work: @Sendable (any AccountStore) throws(StoreFailure) -> Value
    private var outcome: StoreOutcome<Value>

    init(
        in line: StoreLine?,
        work: @escaping @Sendable (any AccountStore) throws(StoreFailure) -> Value,
        then: @escaping (Result<Value, StoreFailure>) -> Void
    ) {
        (self.work, outcome) = (work, StoreOutcome(then: then))
        super.init(in: line)
    }

    override func perform(with holder: StoreHolder, before witness: Witness) {
        holder.use { store in
            perform(on: store, before: witness)
        } otherwise: { failure in
            fail(failure)
        }
    }

    private func perform(on store: SQLiteStore, before witness: Witness) {
        // This is also done after a failure, because the witness noted the job before the job was stored.
        defer { witness.noteOrForget(store) }
        do throws(StoreFailure) {
            for lane in Lane.allCases { if let failure = line?.refusal(in: lane) { throw failure } }
            try store.group { () throws(StoreFailure) in
                outcome.result = .success(try work(store))
                witness.noteOrForget(store, isKept: false)
            }
        } catch {
            fail(error)
        }
    }

    private func fail(_ failure: StoreFailure) {
        if let line {
            for lane in Lane.allCases where line[lane] == nil { line[lane] = failure }
        }
        outcome.result = .failure(failure)
    }

    override func tell() { outcome.tell() }
}
