import CLinux
import Glibc

/// The settings of a stream connection; the times apply to TCP only.
///
/// With the defaults a dead peer is noticed within a minute: after 30 idle seconds the kernel sends up to three probes,
/// ten seconds apart, and it gives up 50 seconds after bytes that are not acknowledged.
package struct StreamSettings: Sendable {
    /// How long a connection is idle before the kernel probes the peer.
    package var keepAliveIdle: Duration = .seconds(30)
    /// The time between two probes.
    package var keepAliveInterval: Duration = .seconds(10)
    /// How many probes in a row may go unanswered.
    package var keepAliveProbes: Int32 = 3
    /// How long sent bytes may go unacknowledged.
    package var userTimeout: Duration = .seconds(50)
    /// How many bytes the kernel takes before it can send them.
    ///
    /// Bytes that are written later, and may be more urgent, wait behind at most these.
    package var kernelBacklog: Int32 = 128 * 1024
    /// The backlog at which a connection that was above it counts as drained.
    package var lowMark = 64 * 1024

    package init() {}

    /// The settings while a peer must show within a few seconds that it is still there.
    ///
    /// The kernel asks an idle peer at once, and three more times, a second apart. It asks nothing while bytes are in
    /// flight, and may already wait long before it retransmits these.
    static let probing: StreamSettings = {
        var settings = StreamSettings()
        (settings.keepAliveIdle, settings.keepAliveInterval) = (.seconds(1), .seconds(1))
        (settings.keepAliveProbes, settings.userTimeout) = (3, .zero)
        return settings
    }()

    /// Applies the settings to a TCP socket.
    func apply(to socket: borrowing FileDescriptor) throws(NetworkError) {
        try Socket.set(TCP_NODELAY, at: tcpLevel, to: 1, on: socket)
        try Socket.set(SO_KEEPALIVE, to: 1, on: socket)
        try applyPatience(to: socket)
        try Socket.set(TCP_NOTSENT_LOWAT, at: tcpLevel, to: kernelBacklog, on: socket)
    }

    /// Applies the settings that say when a silent peer counts as gone.
    func applyPatience(to socket: borrowing FileDescriptor) throws(NetworkError) {
        try Socket.set(TCP_KEEPIDLE, at: tcpLevel, to: keepAliveIdle.systemSeconds, on: socket)
        try Socket.set(TCP_KEEPINTVL, at: tcpLevel, to: keepAliveInterval.systemSeconds, on: socket)
        try Socket.set(TCP_KEEPCNT, at: tcpLevel, to: keepAliveProbes, on: socket)
        try Socket.set(TCP_USER_TIMEOUT, at: tcpLevel, to: userTimeout.systemMilliseconds, on: socket)
    }

    /// The level of TCP's options.
    private var tcpLevel: Int32 { Int32(IPPROTO_TCP) }
}
