import BatonNetwork

/// A value that another machine announced, and the time until which it is valid.
struct Remembered<Value: Sendable>: Sendable {
    var value: Value
    /// The time when the value arrived.
    private(set) var since: MonotonicTime
    /// The time when the value expires.
    private(set) var end: MonotonicTime
    /// The time to live with which the value was announced.
    private(set) var timeToLive: Duration
    /// The number of times that this machine has asked whether the value is still valid.
    private var refreshCount = 0
    /// The delay of these questions, in hundredths of the time to live.
    ///
    /// The delay is random, so that one machine asks before the others, which then need not ask.
    private let lateness: Double

    init(_ value: Value, since: MonotonicTime, timeToLive: Duration, lateness: Double) {
        (self.value, self.since, self.timeToLive) = (value, since, timeToLive)
        (end, self.lateness) = (since + timeToLive, lateness)
    }

    /// The time at which to ask other machines whether the value is still valid.
    ///
    /// This machine asks after 80, 85, 90 and 95 hundredths of the time to live. After that, this is nil.
    ///
    /// If the time to live is less than a minute, this machine does not ask, because that would take too many packets.
    var refresh: MonotonicTime? {
        guard refreshCount < 4, timeToLive >= .seconds(60), end == since + timeToLive else { return nil }
        return since + timeToLive * ((80 + 5 * Double(refreshCount) + lateness) / 100)
    }

    /// Notes that this machine has asked other machines now.
    mutating func noteRefresh(_ now: MonotonicTime) {
        repeat { refreshCount += 1 } while refresh.map { $0 <= now } == true
    }

    /// Makes the value expire at this time, unless it expires earlier.
    mutating func end(at moment: MonotonicTime) { end = min(end, moment) }

    /// True if more than half of the time to live is left, so that other machines need not repeat the value.
    func isFresh(_ now: MonotonicTime) -> Bool { (end - now) * 2 > timeToLive }
}
