import CLinux
import Glibc

/// What a descriptor is ready for, or what its watcher wants to hear of.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Bytes, a connection or an event can be taken.
    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    /// There is room to write.
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The other side will write no more: it shut its side down, or both are gone.
    package static let hungUp = Readiness(rawValue: EPOLLRDHUP.rawValue | EPOLLHUP.rawValue)
    /// An error waits to be read; it is always told, wanted or not.
    package static let failed = Readiness(rawValue: EPOLLERR.rawValue)
}
