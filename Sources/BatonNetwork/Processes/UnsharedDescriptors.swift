import CLinux
import Glibc
import Synchronization

/// The descriptors that a child of this process closes right after a fork.
///
/// If the child kept a connection open, the other end would not notice the end of the connection. A program that is
/// started with `exec` does not get these descriptors in any case.
package enum UnsharedDescriptors {
    /// The descriptors, each stored as its number plus one; zero marks an empty slot.
    private static let places: [Slot] = {
        let number = pthread_atfork(nil, nil, closeUnshared)
        precondition(number == 0, "no memory for a handler of forks")
        return (0..<64).map { _ in Slot() }
    }()

    private final class Slot: Sendable {
        let number = Atomic<Int32>(0)
    }

    /// Makes children of this process close the descriptor; after 64 descriptors, a further one has no effect.
    package static func add(_ descriptor: Int32) {
        for place in places {
            if place.number.compareExchange(expected: 0, desired: descriptor + 1, ordering: .relaxed)
                .exchanged
            {
                return
            }
        }
    }

    /// Removes the descriptor from the list, because its owner is about to close it.
    package static func remove(_ descriptor: Int32) {
        for place in places {
            if place.number.compareExchange(expected: descriptor + 1, desired: 0, ordering: .relaxed)
                .exchanged
            {
                return
            }
        }
    }

    /// Closes all descriptors of the list; called in a child.
    fileprivate static func closeAll() {
        for place in places {
            let number = place.number.exchange(0, ordering: .relaxed)
            if number > 0 { _ = close(number - 1) }
        }
    }
}

/// The C function that runs in a child after a fork.
private func closeUnshared() { UnsharedDescriptors.closeAll() }
