import BatonCore

/// The surroundings of an account in these tests.
struct Surroundings: AccountSurroundings {
    static let own = DeviceIdentifier(high: 0, low: 1)
    static let other = DeviceIdentifier(high: 0, low: 2)

    var waitedFor: Set<DeviceIdentifier>? = [Self.other]
    var gone: Set<DeviceIdentifier> = []
    var heeded = Reports()
    var isInStep = true
    var keepingExpired: Duration? = WallTime.day
    /// The time for which the process has run.
    var time = Duration.zero

    private static let start = WallTime(milliseconds: 1_700_000_000_000)

    var now: Instant { Instant(nanoseconds: 0) + time }
    var clocks: Clocks { Clocks(wall: Self.start.advanced(by: time), steady: now) }
}
