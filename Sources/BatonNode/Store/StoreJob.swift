import BatonCore
import BatonStore
import Synchronization

/// A line of jobs for one purpose, such as a session: in each lane, a job is valid only if all earlier jobs of the line
/// succeeded.
///
/// The first failure is noted separately for each lane: while one lane tries a failed job again, the other lane must
/// not perform jobs that depend on a failed one there. Sendable although it is mutable: only the thread that has a lane
/// reads and writes what is noted for it.
package final class StoreLine: @unchecked Sendable {
    /// The first failure in each lane.
    ///
    /// These are two properties and not a `PerLane`, because reading one half of a struct may read all of it, while the
    /// other thread writes the other half.
    private var (activities, index): (StoreFailure?, StoreFailure?)
    /// The line that this one follows: after a failure in that line, no job of this line is performed in the same lane.
    private let base: StoreLine?
    /// Whether no more jobs are to be performed; set by the loop while the threads are working.
    private let cancelled = Atomic(false)

    package init(behind base: StoreLine? = nil) { self.base = base }

    /// Makes all submitted jobs that have not begun fail.
    package func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// Whether the line was cancelled, so that later failures only mean that nobody wants the results.
    package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    /// Returns the reason why the next job in a lane must not be performed; nil if it may be.
    fileprivate func refusal(in lane: Lane) -> StoreFailure? {
        isCancelled
            ? StoreFailure(.failed, "the request was cancelled") : self[lane] ?? base?.refusal(in: lane)
    }

    fileprivate subscript(lane: Lane) -> StoreFailure? {
        get { lane == .activities ? activities : index }
        set { if lane == .activities { activities = newValue } else { index = newValue } }
    }
}

/// One request to the store, on its way there and back.
///
/// Sendable although it is mutable: the queues hand it from the loop to a thread of the store and back, and only one of
/// them has it at a time.
package class StoreJob: @unchecked Sendable {
    fileprivate let line: StoreLine?

    fileprivate init(in line: StoreLine?) { self.line = line }

    /// Reports the result to the caller.
    func tell() { preconditionFailure("a job has a type") }
}

/// The result of a job, and the closure that gets it.
private struct StoreOutcome<Value> {
    /// Called and released on the thread where results are reported.
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
/// Its closures are compiled for the type of its result. The methods of a generic class would look for that type
/// whenever they run.
final class LaneJob: StoreJob, @unchecked Sendable {
    private let lane: Lane
    /// Nil once the job is done, so that what it wrote is released before the result is reported.
    private var carryOut: ((any LaneStore) throws(StoreFailure) -> Void)?
    private let keep: (StoreFailure) -> Void
    private let report: () -> Void
    /// Whether the line failed at this job, and not before.
    private var isFirstToFail = false
    /// The failure of the job, if it found damage.
    private(set) var damage: StoreFailure?
    /// Whether the result must survive a power failure before it is reported.
    let isDurable: Bool
    /// The approximate number of bytes that the job writes; zero if they are few.
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

    /// Marks the job as too late: the store was told to close, so the job must have no effect, although its thread may
    /// reach it before the store is closed.
    func refuse() { isLate = true }

    /// Releases the work of a job that is done.
    func finish() { carryOut = nil }

    /// Resets the job so that it can be performed again.
    func forget() {
        guard isFirstToFail else { return }
        line?[lane] = nil
        isFirstToFail = false
    }
}

// MARK: The whole account

/// A job on the whole account.
class AccountJob: StoreJob, @unchecked Sendable {
    /// Whether activity jobs that are submitted later wait for this job, too.
    ///
    /// Only the first job may do that: a loan that is requested before its turn would be given before a loan that is
    /// needed first, and each thread would wait for the other.
    var holdsActivities: Bool { false }

    /// Performs the job; no other thread is using either lane.
    func perform(with holder: StoreHolder, before witness: Witness) {
        preconditionFailure("a job has a type")
    }
}

/// The first job, which opens the store.
final class OpeningStoreJob: AccountJob, @unchecked Sendable {
    override var holdsActivities: Bool { true }

    init() { super.init(in: nil) }

    override func perform(with holder: StoreHolder, before witness: Witness) { holder.open() }

    /// Reports nothing itself; the holder has the outcome.
    override func tell() {}
}

/// Opens a read-only store for writing, if its disk allows it by now.
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

/// Looks for damage, as every job on the whole account does, and reports damage that a reader has found.
final class RescuingStoreJob: AccountJob, @unchecked Sendable {
    private let found: (failure: StoreFailure, opening: Int)?
    private let then: () -> Void

    /// Looks for damage that the store's own connections have found.
    init() {
        (found, then) = (nil, {})
        super.init(in: nil)
    }

    /// Reports damage that a reader found in an opening of the store.
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

    /// Does the work once the store is closed, even if there is no store.
    override func perform(with holder: StoreHolder, before witness: Witness) {
        holder.close()
        outcome.result = Result { () throws(StoreFailure) in try work() }
    }
    override func tell() { outcome.tell() }
}

/// A job on the whole account with the type of its result.
///
/// Sendable for the same reason as `StoreJob`.
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
        // This is done after a failure, too, because the witness noted the job before it was stored.
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
