/// Has the store settle its lanes: merge staged batches and remove what clears end, in steps, so that other writes are
/// stored in between.
///
/// The steps follow one another. While apps write, there are pauses in between, so that most writes wait for no step.
/// It is a part of `Account`.
package struct Settling: Sendable {
    /// The number of records for the next step.
    package var pace: SettlingPace
    private let pause: Duration
    private var effects: [Effect] = []
    /// When the current step of each lane began.
    private var begun: [Lane: Instant] = [:]
    /// The lanes that got more to settle during the current step or pause.
    private var grown: Set<Lane> = []
    /// The lanes in which this device wrote since their last step began or ended.
    private var written: Set<Lane> = []
    /// The end of the pause of each lane that pauses because this device writes.
    private var pauseEnds: [Lane: Instant] = [:]
    /// The time of the retry of each lane whose step failed.
    private var retryTimes: [Lane: Instant] = [:]

    package enum Effect: Equatable, Sendable {
        /// Do a step in a lane, of at most this many records; `handleCommit(_:in:at:)` takes the result.
        case settle(Lane, most: Int)
        /// Write a line into the log that reports a fault.
        case warn(String)
    }

    package init(_ limits: Limits) { (pace, pause) = (SettlingPace(limits), limits.settlingTime) }

    /// The length of a pause, as a multiple of the step before it: most writes then wait for no step.
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

    /// Handles a step that the store has done, or nil if nothing was left to settle.
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

    /// Ends a step; returns how long it took, and whether this device wrote during it or in the pause before it.
    private mutating func end(_ lane: Lane, at now: Instant) -> (time: Duration, besideWrites: Bool) {
        let besideWrites = written.remove(lane) != nil
        guard let start = begun.removeValue(forKey: lane) else { return (.zero, besideWrites) }
        let time = now.since(start)
        pace.recordTime(time, besideWrites: besideWrites)
        return (time, besideWrites)
    }
}
