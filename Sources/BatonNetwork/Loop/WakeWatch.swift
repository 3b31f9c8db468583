import CLinux
import Glibc

/// Reports when the machine has woken up from sleep.
///
/// The kernel cancels a timer on the wall clock when that clock jumps, which also happens when the machine wakes up. So
/// nothing is polled, and no service such as logind is needed. A clock also jumps when it is set. To distinguish this
/// from sleep, the watch compares two other clocks. One of them stops during sleep, and the other does not, so their
/// difference is the time of sleep.
///
/// The loop keeps the watch alive until `close()`.
package final class WakeWatch {
    /// Returns how long the machine has slept since it booted.
    package typealias SleptTime = () -> Duration

    /// The largest difference that does not count as sleep; it exists because the two clocks are read one after the
    /// other.
    private static let tolerance = Duration.milliseconds(500)

    private let loop: EventLoop
    private let sleptTime: SleptTime
    /// The timer that the kernel cancels.
    private var timer: FileDescriptor
    /// The registration with the loop; nil once the watch is closed.
    private var watch: EventLoop.WatchToken?
    /// Called with the length of the sleep when the machine has woken up; released by `close()`.
    private var woke: ((Duration) -> Void)?
    /// How long the machine had slept in total at the last check.
    private var slept: Duration

    /// Creates a watch that calls the closure each time the machine wakes up; tests pass their own `sleptTime`.
    package init(
        on loop: EventLoop, sleptTime: @escaping SleptTime = WakeWatch.sleptTime,
        woke: @escaping (Duration) -> Void
    ) throws(NetworkError) {
        self.loop = loop
        self.sleptTime = sleptTime
        self.woke = woke
        slept = sleptTime()
        timer = FileDescriptor(
            owning: try SystemCall.run("watch the clock") {
                timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
            })
        try arm()
        watch = try loop.watch(timer, for: .readable, abandoned: close) { _ in self.readWakeUp() }
    }

    /// Ends the watch; call it on the loop's thread.
    package func close() {
        guard let watch else { return }
        loop.unwatch(watch, of: timer)
        (self.watch, woke) = (nil, nil)
        timer.close()
    }

    /// Compares the clocks, and calls the closure if the machine has slept since the last check.
    package func look() {
        let now = sleptTime()
        let length = now - slept
        slept = now
        if length >= Self.tolerance { woke?(length) }
    }

    /// Handles a jump of the wall clock.
    private func readWakeUp() {
        var count: UInt64 = 0
        let file = timer.number
        // The read only shows that the clock jumped. `look` finds out whether the machine slept.
        _ = unsafe read(file, &count, MemoryLayout<UInt64>.size)
        do throws(NetworkError) {
            try arm()
        } catch {
            // This can't happen: a system call filter that allowed the call before can't forbid it now. Without the
            // timer, the changes of the network still show that the machine slept.
            close()
            return
        }
        look()
    }

    /// Sets the timer to a time that never comes, so that only a jump of the clock makes it readable.
    private func arm() throws(NetworkError) {
        var setting = itimerspec()
        setting.it_value.tv_sec = time_t.max
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        let file = timer.number
        try SystemCall.run("watch the clock") { unsafe timerfd_settime(file, flags, &setting, nil) }
    }

    /// The difference between a clock that runs while the machine sleeps and a clock that stops.
    package static func sleptTime() -> Duration {
        var (going, standing) = (timespec(), timespec())
        SystemCall.must("clock_gettime") { unsafe clock_gettime(CLOCK_MONOTONIC, &standing) }
        SystemCall.must("clock_gettime") { unsafe clock_gettime(CLOCK_BOOTTIME, &going) }
        return .seconds(going.tv_sec - standing.tv_sec) + .nanoseconds(going.tv_nsec - standing.tv_nsec)
    }
}
