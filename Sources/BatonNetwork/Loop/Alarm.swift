import CLinux
import Glibc

/// Becomes readable at a given moment: a `timerfd` on the clock that counts sleep.
///
/// A timeout of `epoll_wait` would stand still while the machine sleeps, and so be late by as much.
struct Alarm: ~Copyable {
    /// What the event queue watches; edge-triggered, so it need not be read back.
    let descriptor: FileDescriptor
    /// The moment for which it is set, if it is.
    private var time: MonotonicTime?
    /// Sets the kernel's timer.
    private let setTimer: SetTimer

    /// Sets the timer of that descriptor; negative if the kernel refuses, with the reason in `errno`.
    typealias SetTimer = (Int32, inout itimerspec) -> Int32

    /// Makes an alarm; tests pass a kernel that refuses.
    init(settingBy setTimer: @escaping SetTimer = Self.setKernelTimer) throws(NetworkError) {
        self.setTimer = setTimer
        descriptor = FileDescriptor(
            owning: try SystemCall.run("make a timer") {
                timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
            })
    }

    /// Learns that it rang: set to the same moment again, it rings again.
    mutating func handleRing() { time = nil }

    /// Sets it to another moment, or off; costs nothing if that is how it stands.
    ///
    /// The kernel may refuse for reasons of its own: a clock that was faked, a filter of system calls. Then the alarm
    /// stays as it was, and the next call tries again.
    mutating func set(to moment: MonotonicTime?) throws(NetworkError) {
        guard moment != time else { return }
        var setting = itimerspec()
        // Zero would switch it off, so a moment long past is the first nanosecond.
        if let nanoseconds = moment.map({ max($0.nanoseconds, 1) }) {
            setting.it_value.tv_sec = time_t(nanoseconds / 1_000_000_000)
            setting.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        }
        let (file, setTimer) = (descriptor.number, setTimer)
        try SystemCall.run("set a timer") { setTimer(file, &setting) }
        time = moment
    }

    /// Asks the kernel.
    static func setKernelTimer(_ file: Int32, _ setting: inout itimerspec) -> Int32 {
        unsafe timerfd_settime(file, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }
}
