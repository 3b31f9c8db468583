import CLinux
import Glibc

/// The kernel's list of what is watched, and of what has become ready: an epoll instance, edge-triggered.
@safe final class EventQueue {
    /// The list itself.
    private let epoll: FileDescriptor
    /// Where the kernel puts the events of a batch; on x86-64 they are packed, elsewhere not.
    private var events = unsafe [epoll_event](repeating: epoll_event(), count: 128)

    init() throws(NetworkError) {
        epoll = FileDescriptor(
            owning: try SystemCall.run("make an event queue") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    }

    /// Adds a descriptor; its events carry the number.
    func add(
        _ descriptor: borrowing FileDescriptor, for interest: Readiness, number: UInt64
    ) throws(NetworkError) {
        let file = descriptor.number
        try SystemCall.run("watch a descriptor") { control(EPOLL_CTL_ADD, file, interest, number) }
    }

    /// Changes what is wanted of a descriptor; what is ready already is told anew.
    func change(_ descriptor: borrowing FileDescriptor, to interest: Readiness, number: UInt64) {
        let file = descriptor.number
        SystemCall.must("epoll_ctl") { control(EPOLL_CTL_MOD, file, interest, number) }
    }

    /// Removes a descriptor; events that the last `wait` took stay where they are.
    func remove(_ descriptor: borrowing FileDescriptor) {
        let file = descriptor.number
        SystemCall.must("epoll_ctl") { control(EPOLL_CTL_DEL, file, [], 0) }
    }

    /// Waits for events, without end if the time is negative; how many there are.
    func wait(milliseconds: Int32) -> Int {
        let (count, error) = SystemCall.attempt {
            unsafe epoll_wait(epoll.number, &events, Int32(events.count), milliseconds)
        }
        precondition(count >= 0, "epoll_wait failed with error \(error), which means a bug here")
        return Int(count)
    }

    /// One event of those that the last `wait` took.
    func event(at place: Int) -> (number: UInt64, readiness: Readiness) {
        let event = unsafe events[place]
        return unsafe (event.data.u64, Readiness(rawValue: event.events))
    }

    /// The bare call.
    private func control(_ change: Int32, _ file: Int32, _ interest: Readiness, _ number: UInt64) -> Int32 {
        var event = unsafe epoll_event()
        unsafe event.events = interest.rawValue | EPOLLET.rawValue
        unsafe event.data.u64 = number
        return unsafe epoll_ctl(epoll.number, change, file, &event)
    }
}
