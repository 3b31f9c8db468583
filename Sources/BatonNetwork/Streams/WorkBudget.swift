/// Bounds the processor time that one kind of work takes: a share of each second, and more at once after a quiet while.
///
/// Work is charged when it is done. The last piece may cost more than was left; the next piece waits longer for that.
package struct WorkBudget: Sendable {
    /// How many seconds may be used.
    private var bucket: TokenBucket

    package init(share: Double, burst: Duration, now: MonotonicTime) {
        bucket = TokenBucket(rate: share, size: burst / .seconds(1), now: now)
    }

    /// Whether more work may begin now.
    package mutating func allows(at now: MonotonicTime) -> Bool {
        bucket.fill(at: now)
        return bucket.spare > 0
    }

    /// Counts work that was done.
    package mutating func charge(_ time: Duration) { bucket.spend(time / .seconds(1)) }

    /// How long it is until work may begin again, if it may not now.
    package var pause: Duration { bucket.spare > 0 ? .zero : bucket.time(until: Self.least) }

    /// How many seconds must be spare, so that a timer for the pause does not fire a moment too early.
    private static let least = 0.000_1
}
