/// A limit on how often an action may be done in a second; after a time without actions, a burst is allowed.
package struct RateLimit: Sendable {
    private var bucket: TokenBucket

    package init(perSecond: Int, burst: Int, now: MonotonicTime) {
        bucket = TokenBucket(rate: Double(perSecond), size: Double(burst), now: now)
    }

    /// Returns whether the action may be done now; if so, counts the action.
    package mutating func take(at now: MonotonicTime) -> Bool {
        bucket.fill(at: now)
        guard bucket.spare >= 1 else { return false }
        bucket.spend(1)
        return true
    }

    /// How long to wait until the action may be done.
    package var pause: Duration { bucket.time(until: 1) }
}
