/// Has the store do what batches and clears have left to be done, in steps between which others write.
///
/// It is a part of `Account`.
package struct Settling: Sendable {
    /// How much is done at once.
    package var pace: SettlingPace
    private let pause: Duration
    private var effects: [Effect] = []
    /// When the present step of each lane began.
    private var begun: [Lane: Instant] = [:]
    /// The lanes in which something more was left to be done while the store was at a step.
    private var grown: Set<Lane> = []
    /// When a lane that the disk refused is tried again.
    private var retryTimes: [Lane: Instant] = [:]

    package enum Effect: Equatable, Sendable {
        /// Do a step in a lane, of at most this many records; `handle(_:in:at:)` takes the result.
        case settle(Lane, most: Int)
        /// Write a line into the log that reports a fault.
        case warn(String)
    }

    package init(_ limits: Limits) { (pace, pause) = (SettlingPace(limits), limits.settlingTime) }

    /// Begins a step in a lane in which something may be left to be done.
    package mutating func begin(_ lane: Lane, at now: Instant) {
        guard begun[lane] == nil else {
            grown.insert(lane)
            return
        }
        grown.remove(lane)
        (begun[lane], retryTimes[lane]) = (now, nil)
        effects.append(.settle(lane, most: pace.most))
    }

    /// Handles a step that the store has done, or nil if nothing was left.
    package mutating func handle(_ commit: StoreCommit?, in lane: Lane, at now: Instant) {
        end(lane, at: now)
        #if DEBUG
            if Faults.isPlanted(.settledInOneStep) { return }
        #endif
        // Work that was added while the step was under way may have come behind it.
        if commit != nil || grown.contains(lane) { begin(lane, at: now) }
    }

    /// Called when the store could not do a step.
    package mutating func handle(_ failure: StoreFailure, in lane: Lane, at now: Instant) {
        end(lane, at: now)
        effects.append(.warn("could not finish a batch or a clear: \(failure)"))
        #if DEBUG
            if Faults.isPlanted(.settlingNotRetried) { return }
        #endif
        retryTimes[lane] = now + pause
    }

    package mutating func handleDeadline(at now: Instant) {
        for lane in Lane.allCases {
            if let time = retryTimes[lane], time <= now { begin(lane, at: now) }
        }
    }

    package mutating func nextEffect() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }

    package var deadline: Instant? { retryTimes.values.min() }

    private mutating func end(_ lane: Lane, at now: Instant) {
        if let start = begun.removeValue(forKey: lane) { pace.note(now.since(start)) }
    }
}
