import CLinux
import Glibc
import Synchronization

/// A value that each process makes for itself: after a fork, the child makes its own, and the parent's stays unused.
///
/// No lock is involved, because another thread may hold one when a process forks, and the child would wait for it
/// forever.
package final class PerProcess<Value: Sendable>: Sendable {
    /// The value, and the process that made it.
    private final class Box: Sendable {
        let process: pid_t
        let value: Value

        init(_ process: pid_t, _ value: Value) { (self.process, self.value) = (process, value) }
    }

    /// The box of the process that used the value last; retained, and never released, because a child leaves its
    /// parent's box as it is.
    private let box = Atomic<UInt>(0)
    private let make: @Sendable () -> Value

    package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    /// The value of this process; made at the first use.
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

    /// The value of this process, if it has been made.
    package var valueIfMade: Value? { value(in: box.load(ordering: .acquiring), of: getpid()) }

    /// Returns the value in a box, if that process made it.
    private func value(in box: UInt, of process: pid_t) -> Value? {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: box) else { return nil }
        let box = unsafe Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue()
        return box.process == process ? box.value : nil
    }
}
