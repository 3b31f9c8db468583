import CLinux
import Glibc

/// The settings of a stream connection; the times apply only to TCP.
///
/// With the default settings, a dead peer is noticed within a minute. On an idle connection, the kernel sends up to
/// three probes, ten seconds apart, after 30 seconds. If sent bytes are not acknowledged, the kernel gives up after 50
/// seconds.
package struct StreamSettings: Sendable {
    /// How long a connection must be idle before the kernel probes the peer.
    package var keepAliveIdle: Duration = .seconds(30)
    /// The time between two probes.
    package var keepAliveInterval: Duration = .seconds(10)
    /// The number of unanswered probes in a row after which the kernel ends the connection.
    package var keepAliveProbes: Int32 = 3
    /// How long sent bytes may stay unacknowledged before the kernel ends the connection.
    package var userTimeout: Duration = .seconds(50)
    /// The number of unsent bytes that the kernel accepts.
    ///
    /// Bytes that are written later, and that may be more urgent, have to wait only for these bytes.
    package var kernelBacklog: Int32 = 128 * 1024
    /// The low mark: when the backlog has been larger and falls to this number of bytes, `drained` is called.
    package var lowMark = 64 * 1024

    package init() {}

    /// The settings for the time in which a peer must show that it is still there.
    ///
    /// The kernel probes the peer as soon as the connection has been idle for a second. It sends up to three probes, a
    /// second apart. While sent bytes are unacknowledged, the kernel sends no probes, and it may wait long before it
    /// sends those bytes again.
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

    /// Applies the settings that decide when a silent peer counts as gone.
    func applyPatience(to socket: borrowing FileDescriptor) throws(NetworkError) {
        try Socket.set(TCP_KEEPIDLE, at: tcpLevel, to: keepAliveIdle.systemSeconds, on: socket)
        try Socket.set(TCP_KEEPINTVL, at: tcpLevel, to: keepAliveInterval.systemSeconds, on: socket)
        try Socket.set(TCP_KEEPCNT, at: tcpLevel, to: keepAliveProbes, on: socket)
        try Socket.set(TCP_USER_TIMEOUT, at: tcpLevel, to: userTimeout.systemMilliseconds, on: socket)
    }

    /// The protocol level of TCP's socket options.
    private var tcpLevel: Int32 { Int32(IPPROTO_TCP) }
}
