import BatonCore
import BatonNetwork
import Glibc

extension WallTime {
    /// What the machine's clock shows.
    static var now: WallTime { WallTime(milliseconds: wallClock()) }

    /// The date here, as the names of files tell it.
    static var today: String { Self.now.date }

    /// The date of this time here.
    var date: String {
        let parts = parts
        return Self.text([parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday], between: "-")
    }

    /// The date and the time of day here, for a log.
    var dateAndTime: String {
        let parts = parts
        return date + " " + Self.text([parts.tm_hour, parts.tm_min, parts.tm_sec], between: ":")
    }

    private var parts: tm {
        var (seconds, parts) = (time_t(self.seconds), tm())
        localtime_r(&seconds, &parts)
        return parts
    }

    private static func text(_ numbers: [Int32], between separator: String) -> String {
        numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: separator)
    }

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
