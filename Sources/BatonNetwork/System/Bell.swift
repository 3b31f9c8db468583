import CLinux
import Glibc

/// Wakes a thread that polls: any thread may ring, which makes the descriptor of the bell readable.
package final class Bell: Sendable {
    private let file: FileDescriptor

    package init() throws(NetworkError) {
        file = FileDescriptor(
            owning: try SystemCall.run("make an event descriptor") {
                eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
            })
    }

    /// The descriptor to poll for reading.
    package var descriptor: Int32 { file.number }

    /// Makes the descriptor readable.
    ///
    /// The call fails only if the counter of the `eventfd` is full; then the descriptor is already readable.
    package func ring() { _ = SystemCall.attempt { eventfd_write(file.number, 1) } }

    /// Makes the descriptor unreadable until the next ring.
    ///
    /// The thread must call this before it looks for work, so that it misses no ring. The call fails only if nobody has
    /// rung.
    package func clear() {
        var count: eventfd_t = 0
        _ = SystemCall.attempt { unsafe eventfd_read(file.number, &count) }
    }
}
