/// A limit on how often something may be done in a second; after a pause, several times at once are allowed.
package struct RateLimit: Sendable {
    private var bucket: TokenBucket

    package init(perSecond: Int, burst: Int, now: MonotonicTime) {
        bucket = TokenBucket(rate: Double(perSecond), size: Double(burst), now: now)
    }

    /// Returns whether it may be done now, and counts it if so.
    package mutating func take(at now: MonotonicTime) -> Bool {
        bucket.fill(at: now)
        guard bucket.spare >= 1 else { return false }
        bucket.spend(1)
        return true
    }

    /// How long to wait until it may be done again.
    package var pause: Duration { bucket.time(until: 1) }
}
