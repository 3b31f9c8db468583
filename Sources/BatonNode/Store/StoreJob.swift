import BatonCore
import BatonStore
import Synchronization

/// A line of jobs for one purpose, such as a session: in each lane, a job is only right if all before it were done.
///
/// The first failure is noted of each lane by itself: while one lane tries a failed job again, the other one does not let
/// jobs through that come behind a failure there. Sendable although it changes: only the thread that has a lane looks at
/// what is noted of it.
package final class StoreLine: @unchecked Sendable {
    /// What failed first.
    private var (activities, index): (StoreFailure?, StoreFailure?)
    /// What this comes behind: nothing is done in a lane after what failed there, either.
    private let base: StoreLine?
    /// Whether nothing more is to be done; said by the loop while the threads are at work.
    private let cancelled = Atomic(false)

    package init(behind base: StoreLine? = nil) { self.base = base }

    /// Has nothing done any more of what was submitted and has not begun.
    package func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// Whether what fails from now on fails because nobody wants it.
    package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    /// Why what comes next in a lane is not done.
    fileprivate func refusal(in lane: Lane) -> StoreFailure? {
        isCancelled
            ? StoreFailure(.failed, "nobody wants it any more") : self[lane] ?? base?.refusal(in: lane)
    }

    fileprivate subscript(lane: Lane) -> StoreFailure? {
        get { lane == .activities ? activities : index }
        set { if lane == .activities { activities = newValue } else { index = newValue } }
    }
}

/// One question to the store, on its way there and back.
///
/// Sendable although it changes: the queues hand it from the loop to a thread of the store and back, and only one of
/// them has it at a time.
package class StoreJob: @unchecked Sendable {
    fileprivate let line: StoreLine?

    fileprivate init(in line: StoreLine?) { self.line = line }

    /// Tells who asked what came of it.
    func tell() { preconditionFailure("a job has a type") }
}

/// What comes of a job, and who is to hear of it.
private struct StoreOutcome<Value> {
    /// Called and let go where answers are told.
    private var then: ((Result<Value, StoreFailure>) -> Void)?
    var result: Result<Value, StoreFailure>?

    init(then: @escaping (Result<Value, StoreFailure>) -> Void) { self.then = then }

    mutating func tell() {
        guard let result, let then = then.take() else { preconditionFailure("a job is told once, when done") }
        then(result)
    }
}

// MARK: One lane

/// Something to be done in one lane.
class LaneJob: StoreJob, @unchecked Sendable {
    private let lane: Lane
    /// Whether the line failed here, and not before.
    private var isFirstToFail = false
    /// Whether it is to survive the loss of power.
    let isDurable: Bool
    /// Whether the store was told to close before.
    private var isLate = false

    fileprivate init(of lane: Lane, in line: StoreLine?, durably: Bool) {
        (self.lane, isDurable) = (lane, durably)
        super.init(in: line)
    }

    final func perform(on store: any LaneStore) {
        do throws(StoreFailure) {
            if isLate { throw StoreHolder.closed }
            if let failure = line?.refusal(in: lane) { throw failure }
            try carryOut(on: store)
        } catch {
            fail(error)
        }
    }

    final func fail(_ failure: StoreFailure) {
        if let line, line[lane] == nil { (line[lane], isFirstToFail) = (failure, true) }
        keep(failure)
    }

    /// The store was told to close, so nothing is to come of it, though it may be at it before the store is closed.
    final func refuse() { isLate = true }

    /// Gets ready to be done anew.
    final func forget() {
        guard isFirstToFail else { return }
        line?[lane] = nil
        isFirstToFail = false
    }

    fileprivate func carryOut(on store: any LaneStore) throws(StoreFailure) {
        preconditionFailure("a job has a type")
    }
    fileprivate func keep(_ failure: StoreFailure) { preconditionFailure("a job has a type") }
}

/// A question about one lane with the type of its answer.
///
/// Sendable for the same reason.
final class TypedLaneJob<Value: Sendable>: LaneJob, @unchecked Sendable {
    private let work: @Sendable (any LaneStore) throws(StoreFailure) -> Value
    private var outcome: StoreOutcome<Value>

    init(
        of lane: Lane, in line: StoreLine?, durably: Bool,
        work: @escaping @Sendable (any LaneStore) throws(StoreFailure) -> Value,
        then: @escaping (Result<Value, StoreFailure>) -> Void
    ) {
        (self.work, outcome) = (work, StoreOutcome(then: then))
        super.init(of: lane, in: line, durably: durably)
    }

    fileprivate override func carryOut(on store: any LaneStore) throws(StoreFailure) {
        outcome.result = .success(try work(store))
    }
    fileprivate override func keep(_ failure: StoreFailure) { outcome.result = .failure(failure) }
    override func tell() { outcome.tell() }
}

// MARK: The whole account

/// Something to be done with the whole account.
class AccountJob: StoreJob, @unchecked Sendable {
    /// Whether what is submitted later to the activities waits for it, too.
    ///
    /// Only the first one may: a loan that is asked for before its turn would be given before another that is needed
    /// first, and each thread would wait for the other.
    var holdsActivities: Bool { false }

    /// Does it, now that nobody else is at either lane.
    func perform(with holder: StoreHolder, before witness: Witness) {
        preconditionFailure("a job has a type")
    }
}

/// The first thing that is done, before which there is no store.
final class OpeningStoreJob: AccountJob, @unchecked Sendable {
    override var holdsActivities: Bool { true }

    init() { super.init(in: nil) }

    override func perform(with holder: StoreHolder, before witness: Witness) { holder.open() }

    /// The holder has something to tell of its own.
    override func tell() {}
}

/// Opens a store that is only read for writing, if its disk allows it by now.
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

/// Looks for damage, as is done with everything that concerns the whole account.
final class RescuingStoreJob: AccountJob, @unchecked Sendable {
    init() { super.init(in: nil) }

    override func perform(with holder: StoreHolder, before witness: Witness) {}
    override func tell() {}
}

/// The last thing that is done with a store.
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

    /// Does the work once the store is closed, also if there is none.
    override func perform(with holder: StoreHolder, before witness: Witness) {
        holder.close()
        outcome.result = Result { () throws(StoreFailure) in try work() }
    }
    override func tell() { outcome.tell() }
}

/// A question about the whole account with the type of its answer.
///
/// Sendable for the same reason.
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
        // What failed to be kept was noted, too.
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
