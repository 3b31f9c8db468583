package import BatonCore
import BatonNetwork
import Glibc

/// The clock and time zone of this machine.
package enum LocalClock {
    /// The present time.
    package static var now: WallTime { WallTime(milliseconds: wallClock()) }

    /// How many seconds the person's time zone is ahead of universal time, at a time.
    package static func offset(at time: WallTime) -> Int { timeZoneOffset(at: time.milliseconds) }

    /// Waits; a signal may end the wait early.
    package static func pause(_ duration: Duration) {
        _ = poll(nil, 0, Int32(clamping: duration.nanoseconds / 1_000_000))
    }
}

/// Measures how long something takes, on a clock that never goes back.
package struct Stopwatch {
    private let start = MonotonicTime.now

    package init() {}

    /// The time since the start.
    package var elapsed: Duration { MonotonicTime.now - start }
}

extension Duration {
    /// Milliseconds, with three decimal places.
    package var milliseconds: Double { Double(nanoseconds / 1000) / 1000 }
}
