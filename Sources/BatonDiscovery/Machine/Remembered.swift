import BatonNetwork

/// A value that another machine announced, and the time until which it is valid.
struct Remembered<Value: Sendable>: Sendable {
    var value: Value
    /// When the value arrived.
    private(set) var since: MonotonicTime
    /// When the value expires.
    private(set) var end: MonotonicTime
    /// The time to live with which the value was announced.
    private(set) var timeToLive: Duration
    /// How many times other machines were asked whether the value is still valid.
    private var refreshCount = 0
    /// The delay of these questions, in hundredths of the time to live; it is random, so that only one machine asks.
    private let lateness: Double

    init(_ value: Value, since: MonotonicTime, timeToLive: Duration, lateness: Double) {
        (self.value, self.since, self.timeToLive) = (value, since, timeToLive)
        (end, self.lateness) = (since + timeToLive, lateness)
    }

    /// When to ask other machines whether the value is still valid: at 80, 85, 90 and 95 hundredths of its time to
    /// live; nil after that.
    ///
    /// A record that lives for less than a minute is not worth the packets.
    var refresh: MonotonicTime? {
        guard refreshCount < 4, timeToLive >= .seconds(60), end == since + timeToLive else { return nil }
        return since + timeToLive * ((80 + 5 * Double(refreshCount) + lateness) / 100)
    }

    /// Notes that other machines were asked now.
    mutating func noteRefresh(_ now: MonotonicTime) {
        repeat { refreshCount += 1 } while refresh.map { $0 <= now } == true
    }

    /// Makes the value expire at that moment, unless it expires earlier.
    mutating func end(at moment: MonotonicTime) { end = min(end, moment) }

    /// True if more than half of the time to live is left, so that other machines need not repeat the value.
    func isFresh(_ now: MonotonicTime) -> Bool { (end - now) * 2 > timeToLive }
}
