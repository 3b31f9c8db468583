import CLinux
import Glibc

/// Whether the system's clock is synchronized, as far as the kernel knows.
package enum ClockSynchronization: Sendable {
    /// A program such as systemd-timesyncd or chrony keeps the clock in step with a time server.
    case synchronized
    /// No program does, or its last update is so old that the clock may be off by seconds.
    case unsynchronized

    /// Asks the kernel; nil if it refuses to say, as in some containers.
    package static var now: ClockSynchronization? {
        var answer = timex()
        // Without a mode nothing is changed. The result is a state of the clock, or negative.
        let (state, _) = SystemCall.attempt { unsafe adjtimex(&answer) }
        guard state >= 0 else { return nil }
        return state == TIME_ERROR || answer.status & STA_UNSYNC != 0 ? .unsynchronized : .synchronized
    }
}
