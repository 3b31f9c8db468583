import CLinux
import Glibc

/// Wakes a thread that polls: any thread rings it, and the polling thread finds its descriptor readable.
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
    /// The call fails only when the counter of the `eventfd` is full, and then the descriptor is readable, too.
    package func ring() { _ = SystemCall.attempt { eventfd_write(file.number, 1) } }

    /// Makes the descriptor unreadable until the next ring; called before looking for work, so that no ring is lost.
    ///
    /// The call fails only when nobody has rung.
    package func clear() {
        var count: eventfd_t = 0
        _ = SystemCall.attempt { unsafe eventfd_read(file.number, &count) }
    }
}
