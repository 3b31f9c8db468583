/// Asks the store to settle its lanes in steps, which merge staged batches and remove what clears end.
///
/// Between two steps, the store can store other writes.
///
/// Normally, the next step begins as soon as the last one has ended. While apps write, there are pauses between the
/// steps, so that most writes need not wait for a step. `Settling` is a part of `Account`.
package struct Settling: Sendable {
    /// Decides how many records the next step handles.
    package var pace: SettlingPace
    private let pause: Duration
    private var effects: [Effect] = []
    /// The time at which the current step of each lane began.
    private var begun: [Lane: Instant] = [:]
    /// The lanes that got more work during the current step or the current pause.
    private var grown: Set<Lane> = []
    /// The lanes in which this device has written since the last step of the lane began or ended.
    private var written: Set<Lane> = []
    /// The end of the current pause of each lane; a lane pauses because this device writes in it.
    private var pauseEnds: [Lane: Instant] = [:]
    /// The time at which each lane whose step failed is retried.
    private var retryTimes: [Lane: Instant] = [:]

    package enum Effect: Equatable, Sendable {
        /// Settle at most `most` records of a lane in one step; pass the result to `handleCommit(_:in:at:)`.
        case settle(Lane, most: Int)
        /// Write a line about a fault into the log.
        case warn(String)
    }

    package init(_ limits: Limits) { (pace, pause) = (SettlingPace(limits), limits.settlingTime) }

    /// The length of a pause, as a multiple of the duration of the step before it.
    ///
    /// Because the pauses are longer than the steps, most writes need not wait for a step.
    private static let pauseShare = 3

    /// Begins a step in a lane that may have something to settle.
    package mutating func begin(_ lane: Lane, at now: Instant) {
        guard begun[lane] == nil, pauseEnds[lane] == nil else {
            grown.insert(lane)
            return
        }
        written.remove(lane)
        goOn(lane, at: now)
    }

    private mutating func goOn(_ lane: Lane, at now: Instant) {
        grown.remove(lane)
        (begun[lane], retryTimes[lane]) = (now, nil)
        effects.append(.settle(lane, most: pace.most))
    }

    /// Called when this device writes in a lane.
    package mutating func noteWrite(in lane: Lane) { written.insert(lane) }

    /// Handles a step that the store has done; nil means that nothing was left to settle.
    package mutating func handleCommit(_ commit: StoreCommit?, in lane: Lane, at now: Instant) {
        let (time, besideWrites) = end(lane, at: now)
        // The step may have missed work that was added while it ran.
        guard commit != nil || grown.contains(lane) else { return }
        if besideWrites, time > .zero {
            pauseEnds[lane] = now + time * Self.pauseShare
        } else {
            goOn(lane, at: now)
        }
    }

    /// Called when the store could not do a step.
    package mutating func handleFailure(_ failure: StoreFailure, in lane: Lane, at now: Instant) {
        _ = end(lane, at: now)
        effects.append(.warn("could not finish a batch or a clear: \(failure)"))
        retryTimes[lane] = now + pause
    }

    package mutating func handleDeadline(at now: Instant) {
        for lane in Lane.allCases {
            if let time = retryTimes[lane], time <= now { begin(lane, at: now) }
            if let time = pauseEnds[lane], time <= now {
                pauseEnds[lane] = nil
                goOn(lane, at: now)
            }
        }
    }

    package mutating func nextEffect() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }

    package var deadline: Instant? {
        Instant.earliest(retryTimes.values.min(), pauseEnds.values.min())
    }

    /// Ends a step; returns how long the step took, and whether this device wrote during the step or during the pause
    /// before it.
    private mutating func end(_ lane: Lane, at now: Instant) -> (time: Duration, besideWrites: Bool) {
        let besideWrites = written.remove(lane) != nil
        guard let start = begun.removeValue(forKey: lane) else { return (.zero, besideWrites) }
        let time = now.since(start)
        pace.recordTime(time, besideWrites: besideWrites)
        return (time, besideWrites)
    }
}
