/// The numbers of bytes that a connection has carried, as counted by the driver of a session.
package struct TransportProgress: Equatable, Sendable {
    /// The bytes that arrived from the peer.
    package var received: UInt64
    /// The bytes that arrived at the peer's machine.
    ///
    /// The peer's program may not have read them yet.
    package var delivered: UInt64
    /// The bytes that are on their way to the peer's machine, or still wait on this machine.
    package var waiting: UInt64

    package init(received: UInt64, delivered: UInt64, waiting: UInt64) {
        (self.received, self.delivered, self.waiting) = (received, delivered, waiting)
    }

    /// Whether the peer has sent something since an earlier moment, or was still receiving what this side sent.
    ///
    /// On a slow connection, a ping waits behind everything that was sent before it. So the progress of that data also
    /// shows that the peer is alive. A program that has stopped reads nothing. When everything has arrived at its
    /// machine, or when that machine's buffers are full, there is no more progress.
    func showsLife(since earlier: TransportProgress) -> Bool {
        received > earlier.received || (delivered > earlier.delivered && earlier.waiting > 0)
    }
}

/// Checks whether the peer is still alive while it owes acknowledgements.
///
/// Anything that the peer sends proves that it is alive. If the peer is silent for a while, it is sent a ping. The
/// peer's program answers a ping even if its disk is busy. While the peer owes no acknowledgement, nothing is expected
/// of it, and no timer is set.
struct PeerPresence: Sendable {
    /// The time since which the peer has sent nothing.
    private var since: Instant
    /// The numbers of bytes that the connection had carried when the last ping was sent; nil if the peer has sent
    /// something since.
    private var pinged: TransportProgress?

    init(since now: Instant) { since = now }

    /// Returns the time when `handleDeadline(now:progress:)` must be called.
    func deadline(_ limits: Limits) -> Instant {
        since + (pinged == nil ? limits.pingPause : limits.pongTime)
    }

    /// The next step for a silent peer.
    enum Verdict {
        case ping, wait, gone
    }

    /// Called when the deadline has come; returns what to do.
    ///
    /// It is possible that this program itself did not run in the meantime. Then it may not have read the peer's answer
    /// yet, so it waits once more.
    mutating func handleDeadline(now: Instant, progress: TransportProgress, _ limits: Limits) -> Verdict {
        let isLate = now > deadline(limits) + limits.pingPause
        defer { (since, pinged) = (now, progress) }
        guard let pinged else { return .ping }
        return isLate || progress.showsLife(since: pinged) ? .wait : .gone
    }
}

/// The numbers of the pings and pongs of a session.
struct PingNumbers: Sendable {
    /// The number of the last ping that was sent.
    private var sent: UInt64 = 0
    /// The number of the last pong that arrived.
    private var answered: UInt64 = 0

    mutating func next() -> UInt64 {
        sent += 1
        return sent
    }

    mutating func handlePong(_ number: UInt64) throws(CloseReason) {
        guard number > answered, number <= sent else {
            throw CloseReason(.unexpected, "a pong that answers no ping")
        }
        answered = number
    }
}
