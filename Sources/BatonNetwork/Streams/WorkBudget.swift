/// Bounds the processor time that one kind of work takes: a share of each second, and more at once after a quiet while.
///
/// Work is charged when it is done. The last piece may cost more than was left; the next piece waits longer for that.
package struct WorkBudget: Sendable {
    /// How much of each second may be used.
    private let share: Double
    /// How many seconds may be used at once.
    private let burst: Double
    /// How many seconds may be used right now; negative where too much was used.
    private var spare: Double
    private var last: MonotonicTime

    package init(share: Double, burst: Duration, now: MonotonicTime) {
        precondition(share > 0 && burst > .zero, "work is done at times")
        (self.share, self.burst) = (share, burst / .seconds(1))
        (spare, last) = (self.burst, now)
    }

    /// Whether more work may begin now.
    package mutating func allows(at now: MonotonicTime) -> Bool {
        spare = min(burst, spare + share * max(0, (now - last) / .seconds(1)))
        last = now
        return spare > 0
    }

    /// Counts work that was done.
    package mutating func charge(_ time: Duration) { spare -= time / .seconds(1) }

    /// How long it is until work may begin again, if it may not now.
    package var pause: Duration { .seconds(spare > 0 ? 0 : (-spare + Self.least) / share) }

    /// What must be spare, so that a timer for the pause does not fire a moment too early.
    private static let least = 0.000_1
}
