import CLinux
import Glibc

/// The events of a descriptor, or the events that its watcher wants.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Bytes, a connection or an event can be read.
    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    /// There is room to write.
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The peer will write no more: it has shut down its side, or both sides are shut down.
    package static let hungUp = Readiness(rawValue: EPOLLRDHUP.rawValue | EPOLLHUP.rawValue)
    /// An error is pending; the kernel always reports it, wanted or not.
    package static let failed = Readiness(rawValue: EPOLLERR.rawValue)
}
