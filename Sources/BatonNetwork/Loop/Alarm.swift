import CLinux
import Glibc

/// A `timerfd` that becomes readable at a given time, even if the machine sleeps until shortly before.
///
/// The clock of an `epoll_wait` timeout stops while the machine sleeps, so that timeout would end too late.
struct Alarm: ~Copyable {
    /// The descriptor of the timer; it is watched edge-triggered, so nobody has to read it.
    let descriptor: FileDescriptor
    /// The moment for which the alarm is set; nil if it is off.
    private var time: MonotonicTime?
    /// The function that sets the kernel's timer.
    private let setTimer: SetTimer

    /// Sets the timer of a descriptor; if the kernel refuses, returns a negative number and sets `errno`.
    typealias SetTimer = (Int32, inout itimerspec) -> Int32

    /// Makes an alarm that is off; tests pass a `setTimer` function that fails.
    init(settingBy setTimer: @escaping SetTimer = Self.setKernelTimer) throws(NetworkError) {
        self.setTimer = setTimer
        descriptor = FileDescriptor(
            owning: try SystemCall.run("make a timer") {
                timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
            })
    }

    /// Notes that the alarm went off, so that it can be set to the same time again.
    mutating func handleRing() { time = nil }

    /// Sets the alarm to a time, or switches it off with nil; makes no system call if nothing changes.
    ///
    /// The kernel may refuse, for example because of a faked clock or a system call filter. Then the alarm stays
    /// unchanged, and the next call tries again.
    mutating func set(to moment: MonotonicTime?) throws(NetworkError) {
        guard moment != time else { return }
        var setting = itimerspec()
        // Zero would switch the timer off, so a time before the boot is replaced by the first nanosecond.
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
