import CLinux
import Glibc

/// Whether the system's clock is synchronized, as far as the kernel knows.
package enum ClockSynchronization: Sendable {
    /// A program such as systemd-timesyncd or chrony synchronizes the clock with a time server.
    case synchronized
    /// No program synchronizes the clock, or the last update was so long ago that the clock may be wrong by seconds.
    case unsynchronized

    /// The present state of the clock; nil if the kernel does not tell it, as in some containers.
    package static var now: ClockSynchronization? {
        var answer = timex()
        // With no mode set, the call changes nothing. It returns a state of the clock, or a negative number.
        let (state, _) = SystemCall.attempt { unsafe adjtimex(&answer) }
        guard state >= 0 else { return nil }
        return state == TIME_ERROR || answer.status & STA_UNSYNC != 0 ? .unsynchronized : .synchronized
    }
}
