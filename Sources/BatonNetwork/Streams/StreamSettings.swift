import CLinux
import Glibc

/// How a stream connection behaves; the times concern TCP only.
///
/// With the defaults a peer that is gone is noticed within a minute: after 30 quiet seconds the kernel asks up to
/// three times, ten seconds apart, and bytes that nobody acknowledges are given up after 50 seconds.
package struct StreamSettings: Sendable {
    /// How long a connection is quiet before the kernel asks whether the peer is there.
    package var keepAliveIdle: Duration = .seconds(30)
    /// How long the kernel waits between such questions.
    package var keepAliveInterval: Duration = .seconds(10)
    /// How many questions in a row may go unanswered.
    package var keepAliveProbes: Int32 = 3
    /// How long sent bytes may go unacknowledged.
    package var userTimeout: Duration = .seconds(50)
    /// How many bytes the kernel takes over that the network can't yet carry.
    ///
    /// What is written later, and may be more urgent, waits behind no more than these.
    package var kernelBacklog: Int32 = 128 * 1024
    /// The backlog at or below which a connection that was above it tells that it is drained.
    package var lowMark = 64 * 1024

    package init() {}

    /// Applies what concerns TCP to a socket.
    func apply(to socket: borrowing FileDescriptor) throws(NetworkError) {
        try Socket.set(TCP_NODELAY, at: tcpLevel, to: 1, on: socket)
        try Socket.set(SO_KEEPALIVE, to: 1, on: socket)
        try Socket.set(TCP_KEEPIDLE, at: tcpLevel, to: keepAliveIdle.systemSeconds, on: socket)
        try Socket.set(TCP_KEEPINTVL, at: tcpLevel, to: keepAliveInterval.systemSeconds, on: socket)
        try Socket.set(TCP_KEEPCNT, at: tcpLevel, to: keepAliveProbes, on: socket)
        try Socket.set(TCP_USER_TIMEOUT, at: tcpLevel, to: userTimeout.systemMilliseconds, on: socket)
        try Socket.set(TCP_NOTSENT_LOWAT, at: tcpLevel, to: kernelBacklog, on: socket)
    }

    /// The level of options at which TCP has its own.
    private var tcpLevel: Int32 { Int32(IPPROTO_TCP) }
}
