/// How often something may be done: so many times a second, and some times at once after a quiet while.
package struct RateLimit: Sendable {
    /// How often in a second.
    let perSecond: Double
    /// How often at once.
    let burst: Double
    /// How often it may be done right now; a fraction of a time, too.
    private var spare: Double
    private var last: MonotonicTime

    package init(perSecond: Int, burst: Int, now: MonotonicTime) {
        precondition(perSecond > 0 && burst > 0, "what is limited happens at times")
        (self.perSecond, self.burst) = (Double(perSecond), Double(burst))
        (spare, last) = (Double(burst), now)
    }

    /// Whether it may be done now; if so, that counts.
    package mutating func take(at now: MonotonicTime) -> Bool {
        spare = min(burst, spare + perSecond * max(0, (now - last) / .seconds(1)))
        last = now
        guard spare >= 1 else { return false }
        spare -= 1
        return true
    }

    /// How long it is until it may be done again, if it may not now.
    package var pause: Duration { .seconds(max(0, 1 - spare) / perSecond) }
}
