import CLinux
import Glibc

/// An edge-triggered epoll instance, and the events that its last wait returned.
@safe final class EventQueue {
    /// The epoll instance.
    private let epoll: FileDescriptor
    /// The buffer for the events of one wait; `epoll_event` is a packed structure on x86-64 only.
    private var events = unsafe [epoll_event](repeating: epoll_event(), count: 128)

    init() throws(NetworkError) {
        epoll = FileDescriptor(
            owning: try SystemCall.run("make an event queue") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    }

    /// Adds a descriptor, whose events will have this number.
    func add(
        _ descriptor: borrowing FileDescriptor, for interest: Readiness, number: UInt64
    ) throws(NetworkError) {
        let file = descriptor.number
        try SystemCall.run("watch a descriptor") { control(EPOLL_CTL_ADD, file, interest, number) }
    }

    /// Changes the events that are reported for a descriptor; events that are already pending are reported once more.
    func change(_ descriptor: borrowing FileDescriptor, to interest: Readiness, number: UInt64) {
        let file = descriptor.number
        SystemCall.must("epoll_ctl") { control(EPOLL_CTL_MOD, file, interest, number) }
    }

    /// Removes a descriptor; events of it that the last `wait` returned stay in the buffer.
    func remove(_ descriptor: borrowing FileDescriptor) {
        let file = descriptor.number
        SystemCall.must("epoll_ctl") { control(EPOLL_CTL_DEL, file, [], 0) }
    }

    /// Waits for events and returns how many came; a negative time means no time limit.
    func wait(milliseconds: Int32) -> Int {
        let (count, error) = SystemCall.attempt {
            unsafe epoll_wait(epoll.number, &events, Int32(events.count), milliseconds)
        }
        precondition(count >= 0, "epoll_wait failed with error \(error), which means a bug here")
        return Int(count)
    }

    /// Returns one of the events that the last `wait` returned.
    func event(at place: Int) -> (number: UInt64, readiness: Readiness) {
        let event = unsafe events[place]
        return unsafe (event.data.u64, Readiness(rawValue: event.events))
    }

    /// Calls `epoll_ctl` for edge-triggered events.
    private func control(_ change: Int32, _ file: Int32, _ interest: Readiness, _ number: UInt64) -> Int32 {
        var event = unsafe epoll_event()
        unsafe event.events = interest.rawValue | EPOLLET.rawValue
        unsafe event.data.u64 = number
        return unsafe epoll_ctl(epoll.number, change, file, &event)
    }
}
