import BatonNetwork
import Glibc

/// Waits for several things at once, as programs do that have no event loop.
package enum Waiting {
    /// Waits until one of the descriptors is ready for what is asked of it, or the time is over; says which are ready.
    ///
    /// Nothing means that there is no such time. A negative descriptor is never ready. A signal may end the wait early.
    package static func forOne(
        of questions: [(descriptor: Int32, events: Int16)], within time: Duration? = nil
    ) -> [Bool] {
        var asked = questions.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
        let count = poll(&asked, nfds_t(asked.count), time.map(milliseconds) ?? -1)
        return asked.map { count > 0 && $0.revents != 0 }
    }

    /// Rounded up, so that nobody who waits for a moment comes before it.
    private static func milliseconds(_ time: Duration) -> Int32 {
        Int32(clamping: (max(time, .zero).nanoseconds + 999_999) / 1_000_000)
    }
}
