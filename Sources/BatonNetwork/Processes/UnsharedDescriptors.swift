import CLinux
import Glibc
import Synchronization

/// The descriptors that a forked child closes at once.
///
/// If a child kept a connection open, everything that ends with the connection would stay alive at its other end.
/// Programs that are started don't get these descriptors in any case.
package enum UnsharedDescriptors {
    /// Each descriptor plus one; zero marks an empty place.
    private static let places: [Slot] = {
        let number = pthread_atfork(nil, nil, closeUnshared)
        precondition(number == 0, "no memory for a handler of forks")
        return (0..<64).map { _ in Slot() }
    }()

    private final class Slot: Sendable {
        let number = Atomic<Int32>(0)
    }

    /// Makes forked children close the descriptor; beyond 64 descriptors, further ones are shared.
    package static func add(_ descriptor: Int32) {
        for place in places {
            if place.number.compareExchange(expected: 0, desired: descriptor + 1, ordering: .relaxed)
                .exchanged
            {
                return
            }
        }
    }

    /// Leaves the descriptor to its owner, who closes it now.
    package static func remove(_ descriptor: Int32) {
        for place in places {
            if place.number.compareExchange(expected: descriptor + 1, desired: 0, ordering: .relaxed)
                .exchanged
            {
                return
            }
        }
    }

    /// Closes all of these descriptors, in a child.
    fileprivate static func closeAll() {
        for place in places {
            let number = place.number.exchange(0, ordering: .relaxed)
            if number > 0 { _ = close(number - 1) }
        }
    }
}

/// The handler that runs in a forked child, with C's signature.
private func closeUnshared() { UnsharedDescriptors.closeAll() }
