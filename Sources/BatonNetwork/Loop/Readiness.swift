import CLinux
import Glibc

/// The events of a descriptor that have happened, or that a watcher wants to be told of.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Bytes, a connection or an event can be read.
    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    /// There is room to write bytes.
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The peer will send no more bytes: it has shut down its sending side, or both sides are shut down.
    package static let hungUp = Readiness(rawValue: EPOLLRDHUP.rawValue | EPOLLHUP.rawValue)
    /// An error is pending; the kernel always reports this event, even if the watcher did not ask for it.
    package static let failed = Readiness(rawValue: EPOLLERR.rawValue)
}
