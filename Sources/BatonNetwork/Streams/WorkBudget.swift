/// A limit on the processor time for one kind of work: a share of each second, and more at once after a pause.
///
/// Work is charged when it is done. A piece may cost more than was left; the next one then waits longer.
package struct WorkBudget: Sendable {
    /// The allowance, in seconds.
    private var bucket: TokenBucket

    package init(share: Double, burst: Duration, now: MonotonicTime) {
        bucket = TokenBucket(rate: share, size: burst / .seconds(1), now: now)
    }

    /// Returns whether more work may begin now.
    package mutating func allows(at now: MonotonicTime) -> Bool {
        bucket.fill(at: now)
        return bucket.spare > 0
    }

    /// Charges work that was done.
    package mutating func charge(_ time: Duration) { bucket.spend(time / .seconds(1)) }

    /// How long to wait until work may begin; zero if it may begin now.
    package var pause: Duration { bucket.spare > 0 ? .zero : bucket.time(until: Self.least) }

    /// How many seconds must be left at the end of a pause, so that its timer does not fire a moment too early.
    private static let least = 0.000_1
}
