import CLinux
import Glibc
import Synchronization

/// A value that each process makes for itself: after a fork, the child makes a new value and ignores the parent's.
///
/// No lock is used. Another thread might hold the lock at the time of the fork, and then the child would wait for it
/// forever.
package final class PerProcess<Value: Sendable>: Sendable {
    /// The value, and the ID of the process that made it.
    private final class Box: Sendable {
        let process: pid_t
        let value: Value

        init(_ process: pid_t, _ value: Value) { (self.process, self.value) = (process, value) }
    }

    /// A pointer to the box of the process that used the value last.
    ///
    /// The box is retained and never released, because a child must leave its parent's box unchanged.
    private let box = Atomic<UInt>(0)
    private let make: @Sendable () -> Value

    package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    /// The value of this process, which is made when it is first used.
    package var value: Value {
        let process = getpid()
        while true {
            let known = box.load(ordering: .acquiring)
            if let value = value(in: known, of: process) { return value }
            let made = unsafe Unmanaged.passRetained(Box(process, make()))
            let own = UInt(bitPattern: unsafe made.toOpaque())
            if box.compareExchange(expected: known, desired: own, ordering: .acquiringAndReleasing).exchanged
            {
                return unsafe made.takeUnretainedValue().value
            }
            unsafe made.release()
        }
    }

    /// The value of this process; nil if it has not been made.
    package var valueIfMade: Value? { value(in: box.load(ordering: .acquiring), of: getpid()) }

    /// Returns the value in a box; nil if another process made it.
    private func value(in box: UInt, of process: pid_t) -> Value? {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: box) else { return nil }
        let box = unsafe Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue()
        return box.process == process ? box.value : nil
    }
}
