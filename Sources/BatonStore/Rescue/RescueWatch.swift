package import BatonCore
import CSQLite
import Synchronization

/// How far the opening of a store has come.
package struct RescueProgress: Equatable, Sendable {
    /// The lane that is opened or rescued.
    package let lane: Lane
    /// How many changes were rescued so far; nil while nothing is rescued.
    package let writes: Int?
}

/// Watches the opening of a store and the rescue of its databases from other threads, and ends them.
package final class RescueWatch: Sendable {
    private let isStopped = Atomic(false)
    private let interval: Duration
    private let report: @Sendable (RescueProgress) -> Void
    private let state = Mutex(State())

    private struct State {
        var progress: RescueProgress?
        var latest = ContinuousClock.now
    }

    /// Calls the closure as a rescue begins, and at this interval for as long as anything takes longer.
    package init(
        every interval: Duration = .seconds(1),
        _ report: @escaping @Sendable (RescueProgress) -> Void = { _ in }
    ) { (self.interval, self.report) = (interval, report) }

    /// Ends the opening that is under way, and each that follows; what a rescue began is begun anew by the next node.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Throws if the opening is to end.
    func demandGoingOn() throws(StoreFailure) {
        guard !isEnding else { throw StoreFailure(.failed, "the node stops while it opens the store") }
    }

    /// Whether the opening is to end.
    var isEnding: Bool { isStopped.load(ordering: .relaxed) }

    /// A lane is being opened, or a rescue has come this far.
    func note(_ lane: Lane, writes: Int? = nil) {
        let isNew = state.withLock { state in
            defer { state.progress = RescueProgress(lane: lane, writes: writes) }
            return writes != nil && (state.progress?.writes == nil || state.progress?.lane != lane)
        }
        tell(now: isNew)
    }

    /// Reports the progress if that is due.
    func tell(now isDue: Bool = false) {
        let progress: RescueProgress? = state.withLock { state in
            let now = ContinuousClock.now
            guard isDue || now - state.latest >= interval else { return nil }
            state.latest = now
            return state.progress
        }
        if let progress { report(progress) }
    }
}

/// Bounds the work of one connection, and has its statements fail once a watch ends them.
///
/// Pages that belong to different databases may form a tree that SQLite walks for ever, so whoever reads such pages may
/// use only so many steps of its machine.
final class StepLimit {
    let watch: RescueWatch
    /// How often SQLite may ask whether to go on; nil without a bound.
    private var rest: Int?

    /// How many steps SQLite's machine makes between two questions.
    private static let stepsAtOnce = 10_000

    init(_ watch: RescueWatch, steps: Int? = nil) {
        (self.watch, rest) = (watch, steps.map { $0 / Self.stepsAtOnce + 1 })
    }

    /// Whether all the steps were used up.
    var isExhausted: Bool { rest.map { $0 < 0 } ?? false }

    /// Whether the statement is to end now.
    fileprivate func demandsEnd() -> Bool {
        if let count = rest { rest = count - 1 }
        watch.tell()
        return isExhausted || watch.isEnding
    }

    /// Has SQLite ask; the connection keeps the limit for as long as it does.
    @unsafe func install(on handle: OpaquePointer) {
        unsafe sqlite3_progress_handler(
            handle, Int32(Self.stepsAtOnce), askWhetherToGoOn, Unmanaged.passUnretained(self).toOpaque())
    }
}

/// Called by SQLite now and then; anything but zero ends the statement.
private func askWhetherToGoOn(_ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context = unsafe context else { return 0 }
    return unsafe Unmanaged<StepLimit>.fromOpaque(context).takeUnretainedValue().demandsEnd() ? 1 : 0
}
