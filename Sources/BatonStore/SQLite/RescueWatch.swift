package import BatonCore
import CSQLite
import Synchronization

/// The progress of opening a store.
package struct RescueProgress: Equatable, Sendable {
    /// The lane that is being opened or rescued.
    package let lane: Lane
    /// The number of writes that were rescued so far; nil if the lane is only being opened.
    package let writes: Int?
}

/// Reports the progress of opening a store and rescuing its databases.
///
/// Other threads can stop the opening.
package final class RescueWatch: Sendable {
    private let isStopped = Atomic(false)
    private let interval: Duration
    private let report: @Sendable (RescueProgress) -> Void
    private let state = Mutex(State())

    private struct State {
        var progress: RescueProgress?
        var latest = ContinuousClock.now
    }

    /// Creates a watch that calls the closure when a rescue begins.
    ///
    /// After that, it calls the closure at this interval while the opening or the rescue continues.
    package init(
        every interval: Duration = .seconds(1),
        _ report: @escaping @Sendable (RescueProgress) -> Void = { _ in }
    ) { (self.interval, self.report) = (interval, report) }

    /// Stops the present opening and each later opening with this watch.
    ///
    /// An unfinished rescue begins again when the node is started next.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Throws if `stop()` was called.
    func demandGoingOn() throws(StoreFailure) {
        guard !isEnding else { throw StoreFailure(.failed, "the node was stopped while it opened the store") }
    }

    /// Whether `stop()` was called.
    var isEnding: Bool { isStopped.load(ordering: .relaxed) }

    /// Notes that a lane is being opened, or how many writes a rescue has copied.
    func recordRescue(_ lane: Lane, writes: Int? = nil) {
        let isNew = state.withLock { state in
            defer { state.progress = RescueProgress(lane: lane, writes: writes) }
            return writes != nil && (state.progress?.writes == nil || state.progress?.lane != lane)
        }
        tell(now: isNew)
    }

    /// Reports the progress if `isDue` or the interval has passed.
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
