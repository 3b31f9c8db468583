package import BatonCore
import BatonNetwork
import Glibc

/// The clock and time zone of this machine.
package enum LocalClock {
    /// The present time.
    package static var now: WallTime { WallTime(milliseconds: wallClock()) }

    /// The number of seconds by which the person's time zone is ahead of universal time at this time.
    package static func offset(at time: WallTime) -> Int { timeZoneOffset(at: time.milliseconds) }

    /// Waits; a signal may end the wait early.
    package static func pause(_ duration: Duration) {
        _ = poll(nil, 0, Int32(clamping: duration.nanoseconds / 1_000_000))
    }
}

extension PresentTime {
    /// The present time of this machine.
    package static var here: PresentTime { PresentTime(LocalClock.now) { LocalClock.offset(at: $0) } }
}
