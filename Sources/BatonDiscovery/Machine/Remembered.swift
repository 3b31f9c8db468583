import BatonNetwork

/// Something that another machine announced, and until when it holds.
struct Remembered<Value: Sendable>: Sendable {
    var value: Value
    /// When it came.
    private(set) var since: MonotonicTime
    /// When it ends.
    private(set) var end: MonotonicTime
    /// For how long it was announced.
    private(set) var timeToLive: Duration
    /// How often others were asked whether it still holds.
    private var refreshCount = 0
    /// How much later than usual others are asked, in hundredths of the time to live, so that only one machine asks.
    private let lateness: Double

    init(_ value: Value, since: MonotonicTime, timeToLive: Duration, lateness: Double) {
        (self.value, self.since, self.timeToLive) = (value, since, timeToLive)
        (end, self.lateness) = (since + timeToLive, lateness)
    }

    /// When to ask others whether it still holds: at 80, 85, 90 and 95 hundredths of its time; nil if that is over.
    ///
    /// A record that lives for less than a minute is not worth the packets.
    var refresh: MonotonicTime? {
        guard refreshCount < 4, timeToLive >= .seconds(60), end == since + timeToLive else { return nil }
        return since + timeToLive * ((80 + 5 * Double(refreshCount) + lateness) / 100)
    }

    /// Notes that others were asked now.
    mutating func noteRefresh(_ now: MonotonicTime) {
        repeat { refreshCount += 1 } while refresh.map { $0 <= now } == true
    }

    /// Lets it end at that moment, if that is earlier.
    mutating func end(at moment: MonotonicTime) { end = min(end, moment) }

    /// True if more than half of the time is left, so that others need not tell it again.
    func isFresh(_ now: MonotonicTime) -> Bool { (end - now) * 2 > timeToLive }
}
