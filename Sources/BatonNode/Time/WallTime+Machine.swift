import BatonCore
import BatonNetwork

extension WallTime {
    /// The present time by the machine's clock.
    static var now: WallTime { WallTime(milliseconds: wallClock()) }

    /// Today's date in the local time zone, in the form that is used in file names.
    static var today: String { Self.now.date }

    /// The date of this time in the local time zone.
    var date: String { local.date }

    /// The date and the time of day in the local time zone, for a log.
    var dateAndTime: String { local.date + " " + local.timeOfDay }

    /// The date and the time of day in the person's time zone.
    var local: CivilTime { CivilTime(self, offset: zoneOffset) }

    /// The number of seconds by which the person's time zone is ahead of universal time at this time.
    var zoneOffset: Int { timeZoneOffset(at: milliseconds) }

    /// The time in whole seconds since 1970, as it is used in certificates.
    var seconds: Int64 { milliseconds / 1000 }

    /// Creates a time from the seconds in a certificate.
    init(seconds: Int64) { self.init(milliseconds: seconds * 1000) }
}

extension EventLoop {
    /// The present time of the loop's clock, in the type that the core uses.
    var instant: Instant { Instant(nanoseconds: UInt64(now.nanoseconds)) }
}

extension MonotonicTime {
    /// Converts a time of the core to the type that the loop uses.
    init(_ instant: Instant) { self.init(nanoseconds: Int64(clamping: instant.nanoseconds)) }
}

extension ProcessName {
    /// The process in the type that `ProcessWatch` uses.
    var identity: ProcessIdentity {
        ProcessIdentity(processID: number, startTicks: started, bootID: boot)
    }
}
