/// A limit on the processor time for one kind of work: a share of each second.
///
/// After a pause, more time may be used at once. Work is charged after it is done. If it took more time than was left,
/// the next piece of work has to wait longer.
package struct WorkBudget: Sendable {
    /// The remaining processor time, in seconds.
    private var bucket: TokenBucket

    package init(share: Double, burst: Duration, now: MonotonicTime) {
        bucket = TokenBucket(rate: share, size: burst / .seconds(1), now: now)
    }

    /// Returns whether more work may begin now.
    package mutating func allows(at now: MonotonicTime) -> Bool {
        bucket.fill(at: now)
        return bucket.spare > 0
    }

    /// Charges the time of work that was done.
    package mutating func charge(_ time: Duration) { bucket.spend(time / .seconds(1)) }

    /// How long to wait until work may begin; zero if it may begin now.
    package var pause: Duration { bucket.spare > 0 ? .zero : bucket.time(until: Self.least) }

    /// The processor time that must be available after a pause, in seconds.
    ///
    /// Without this margin, the timer could fire a moment too early.
    private static let least = 0.000_1
}
