import BatonNetwork
import Glibc

/// Waits for several descriptors at once, for programs without an event loop.
package enum Waiting {
    /// Waits until at least one descriptor is ready, or the time is over; returns for each descriptor whether it is
    /// ready.
    ///
    /// A time of nil means no limit. A negative descriptor is never ready. A signal may end the wait early.
    package static func forOne(
        of questions: [(descriptor: Int32, events: Int16)], within time: Duration? = nil
    ) -> [Bool] {
        var asked = questions.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
        let count = poll(&asked, nfds_t(asked.count), time.map(milliseconds) ?? -1)
        return asked.map { count > 0 && $0.revents != 0 }
    }

    /// Converts a time to milliseconds.
    ///
    /// The result is rounded up, so that a wait never ends too early.
    private static func milliseconds(_ time: Duration) -> Int32 {
        Int32(clamping: (max(time, .zero).nanoseconds + 999_999) / 1_000_000)
    }
}
