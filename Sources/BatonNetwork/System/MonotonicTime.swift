import CLinux
import Glibc

/// A time on a clock that never goes backward, and that runs while the machine sleeps.
///
/// Such a time is valid only on this machine, until the machine reboots. It is never stored or sent.
package struct MonotonicTime: Hashable, Comparable, Sendable {
    /// The time since the machine booted, in nanoseconds.
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The present time.
    package static var now: MonotonicTime {
        let time = Self.read(CLOCK_BOOTTIME)
        return MonotonicTime(nanoseconds: Duration(time).nanoseconds)
    }

    package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Adds a duration to a time; the result is limited to the first and the last time of the clock.
    package static func + (time: Self, duration: Duration) -> Self {
        let (sum, overflow) = time.nanoseconds.addingReportingOverflow(duration.nanoseconds)
        guard overflow else { return Self(nanoseconds: sum) }
        return Self(nanoseconds: duration < .zero ? .min : .max)
    }

    /// Returns the duration from the right time to the left time; negative if the left time is earlier.
    package static func - (left: Self, right: Self) -> Duration {
        let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
        guard overflow else { return .nanoseconds(difference) }
        return .nanoseconds(left < right ? Int64.min : Int64.max)
    }

    /// Reads a clock of the system.
    fileprivate static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        SystemCall.must("clock_gettime") { unsafe clock_gettime(clock, &time) }
        return time
    }
}

/// The processor time of a thread.
///
/// It is a better measure of work than the time of a clock, because it excludes the time that other threads and
/// processes use.
package struct ProcessorTime: Sendable {
    private let spent: Duration

    /// The processor time that the calling thread has used so far.
    package static var now: ProcessorTime {
        let time = MonotonicTime.read(CLOCK_THREAD_CPUTIME_ID)
        return ProcessorTime(spent: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
    }

    /// The processor time that the thread has used since this value was made; call it on the same thread.
    package var elapsed: Duration { Self.now.spent - spent }
}

extension Duration {
    /// Converts a time of a system clock to a duration.
    fileprivate init(_ time: timespec) {
        self = .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// The duration in nanoseconds, rounded towards zero, and limited to the range of the type.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard overflow || carry else { return sum }
        return seconds < 0 ? .min : .max
    }

    /// The duration in milliseconds, rounded up, and limited to the 32 bits that system calls use.
    var systemMilliseconds: Int32 {
        Int32(clamping: (max(nanoseconds, 0) / 1_000_000) + (nanoseconds % 1_000_000 > 0 ? 1 : 0))
    }

    /// The duration in seconds, rounded up, and limited to the 32 bits that system calls use.
    var systemSeconds: Int32 {
        Int32(clamping: components.seconds + (components.attoseconds > 0 ? 1 : 0))
    }
}

/// Returns the time of the system's clock, in milliseconds since 1970; this clock may jump forward and backward.
package func wallClock() -> Int64 {
    let time = MonotonicTime.read(CLOCK_REALTIME)
    let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1000)
    guard !overflow else { return time.tv_sec < 0 ? .min : .max }
    return seconds + Int64(time.tv_nsec) / 1_000_000
}

/// Returns the seconds by which the person's time zone is ahead of universal time.
///
/// `milliseconds` is a time since 1970.
package func timeZoneOffset(at milliseconds: Int64) -> Int {
    // Rounds down to whole seconds, even before 1970.
    var seconds = time_t(milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0))
    var local = unsafe tm()
    // The C library fails if the year does not fit its integer type.
    guard unsafe localtime_r(&seconds, &local) != nil else { return 0 }
    return unsafe local.tm_gmtoff
}
