/// How often something may be done: so many times a second, and some times at once after a quiet while.
package struct RateLimit: Sendable {
    private var bucket: TokenBucket

    package init(perSecond: Int, burst: Int, now: MonotonicTime) {
        bucket = TokenBucket(rate: Double(perSecond), size: Double(burst), now: now)
    }

    /// Whether it may be done now; if so, that counts.
    package mutating func take(at now: MonotonicTime) -> Bool {
        bucket.fill(at: now)
        guard bucket.spare >= 1 else { return false }
        bucket.spend(1)
        return true
    }

    /// How long it is until it may be done again, if it may not now.
    package var pause: Duration { bucket.time(until: 1) }
}
