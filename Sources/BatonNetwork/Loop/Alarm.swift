import CLinux
import Glibc

/// A `timerfd` that becomes readable at a given moment, on a clock that goes on while the machine sleeps.
///
/// A timeout of `epoll_wait` would stand still while the machine sleeps, and would then be late.
struct Alarm: ~Copyable {
    /// The timer's descriptor; the event queue watches it edge-triggered, so it need not be read.
    let descriptor: FileDescriptor
    /// The moment for which the alarm is set; nil if it is off.
    private var time: MonotonicTime?
    /// Sets the kernel's timer.
    private let setTimer: SetTimer

    /// Sets the timer of a descriptor; returns a negative number, with the reason in `errno`, if the kernel refuses.
    typealias SetTimer = (Int32, inout itimerspec) -> Int32

    /// Makes an alarm that is off; tests pass a `setTimer` that fails.
    init(settingBy setTimer: @escaping SetTimer = Self.setKernelTimer) throws(NetworkError) {
        self.setTimer = setTimer
        descriptor = FileDescriptor(
            owning: try SystemCall.run("make a timer") {
                timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
            })
    }

    /// Notes that the alarm went off, so that it can be set to the same moment again.
    mutating func handleRing() { time = nil }

    /// Sets the alarm to a moment, or off with nil; makes no system call if nothing changes.
    ///
    /// The kernel may refuse, for example because of a faked clock or a system call filter. The alarm then stays as it
    /// was, and the next call tries again.
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

    /// Sets the timer in the kernel.
    static func setKernelTimer(_ file: Int32, _ setting: inout itimerspec) -> Int32 {
        unsafe timerfd_settime(file, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }
}
