import BatonCore
import BatonNetwork

extension WallTime {
    /// What the machine's clock shows.
    static var now: WallTime { WallTime(milliseconds: wallClock()) }

    /// The date here, as the names of files tell it.
    static var today: String { Self.now.date }

    /// The date of this time here.
    var date: String { local.date }

    /// The date and the time of day here, for a log.
    var dateAndTime: String { local.date + " " + local.timeOfDay }

    /// The date and time in the person's time zone.
    var local: CivilTime { CivilTime(self, offset: timeZoneOffset(at: milliseconds)) }

    /// Whole seconds since 1970, as certificates count.
    var seconds: Int64 { milliseconds / 1000 }

    /// A time as certificates count it.
    init(seconds: Int64) { self.init(milliseconds: seconds * 1000) }
}

extension EventLoop {
    /// The present moment, as the core counts it.
    var instant: Instant { Instant(nanoseconds: UInt64(now.nanoseconds)) }
}

extension MonotonicTime {
    /// A moment of the core on the loop's clock.
    init(_ instant: Instant) { self.init(nanoseconds: Int64(clamping: instant.nanoseconds)) }
}

extension ProcessName {
    /// The process that the network's watch understands.
    var identity: ProcessIdentity {
        ProcessIdentity(processID: number, startTicks: started, bootID: boot)
    }
}
