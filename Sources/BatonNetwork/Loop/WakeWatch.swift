import CLinux
import Glibc

/// Reports when the machine has woken up from sleep.
///
/// The kernel cancels a timer on the wall clock when that clock jumps, which also happens on waking up. So nothing is
/// polled, and no service such as logind is needed. To tell sleep from a clock that was set, the watch compares two
/// clocks that differ only by the time of sleep, in which one of them stands still.
///
/// The loop keeps the watch alive until `close()`.
package final class WakeWatch {
    /// Returns how long the machine has slept since it booted.
    package typealias SleptTime = () -> Duration

    /// A difference between the clocks that does not mean sleep: they are read one after the other.
    private static let tolerance = Duration.milliseconds(500)

    private let loop: EventLoop
    private let sleptTime: SleptTime
    /// The timer that the kernel cancels.
    private var timer: FileDescriptor
    /// The registration with the loop; nil once the watch is closed.
    private var watch: EventLoop.WatchToken?
    /// Called with the length of the sleep; released by `close()`.
    private var woke: ((Duration) -> Void)?
    /// How long the machine had slept in total at the last check.
    private var slept: Duration

    /// Calls back each time that the machine wakes up; tests pass a function for the time that it has slept.
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

    /// Compares the clocks, and calls back if the machine has slept since the last check.
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
        // The result says only that the clock jumped; `look` finds out whether the machine slept.
        _ = unsafe read(file, &count, MemoryLayout<UInt64>.size)
        do throws(NetworkError) {
            try arm()
        } catch {
            // A filter of system calls that allowed this before can't forbid it now, so this can't happen; without the
            // timer, sleep is noticed by the network's changes.
            close()
            return
        }
        look()
    }

    /// Sets the timer to a time that never comes.
    private func arm() throws(NetworkError) {
        var setting = itimerspec()
        setting.it_value.tv_sec = time_t.max
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        let file = timer.number
        try SystemCall.run("watch the clock") { unsafe timerfd_settime(file, flags, &setting, nil) }
    }

    /// The difference between the clock that goes on while the machine sleeps and the one that stands still.
    package static func sleptTime() -> Duration {
        var (going, standing) = (timespec(), timespec())
        SystemCall.must("clock_gettime") { unsafe clock_gettime(CLOCK_MONOTONIC, &standing) }
        SystemCall.must("clock_gettime") { unsafe clock_gettime(CLOCK_BOOTTIME, &going) }
        return .seconds(going.tv_sec - standing.tv_sec) + .nanoseconds(going.tv_nsec - standing.tv_nsec)
    }
}
