/// How much a connection has carried, as the driver of a session counts it.
package struct TransportProgress: Equatable, Sendable {
    /// The bytes that arrived from the peer.
    package var received: UInt64
    /// The bytes that arrived at the peer's machine, whether its program has read them or not.
    package var delivered: UInt64
    /// The bytes that are on the way to the peer's machine, or wait here.
    package var waiting: UInt64

    package init(received: UInt64, delivered: UInt64, waiting: UInt64) {
        (self.received, self.delivered, self.waiting) = (received, delivered, waiting)
    }

    /// Whether the peer has sent something since an earlier moment, or was still receiving what it was sent.
    ///
    /// On a slow connection a ping waits behind what was sent before it. A program that has stopped reads nothing: once
    /// everything has arrived at its machine, or the machine's buffers are full, nothing shows that the program runs.
    func showsLife(since earlier: TransportProgress) -> Bool {
        received > earlier.received || (delivered > earlier.delivered && earlier.waiting > 0)
    }
}

/// Watches whether the peer still answers while it owes acknowledgements.
///
/// Anything that it sends counts as an answer. A peer that is silent for a while is sent a ping, which its program
/// answers however busy its disk is. While the peer owes no acknowledgement, nothing is awaited, and no timer is set.
struct PeerPresence: Sendable {
    /// The time since which nothing has come from the peer.
    private var since: Instant
    /// How much the connection had carried when the last ping was sent to the peer; nil if the peer has been heard
    /// since.
    private var pinged: TransportProgress?

    init(since now: Instant) { since = now }

    /// When `handleDeadline(now:progress:)` is due.
    func deadline(_ limits: Limits) -> Instant {
        since + (pinged == nil ? limits.pingPause : limits.pongTime)
    }

    /// The next step with a peer that is silent.
    enum Verdict {
        case ping, wait, gone
    }

    /// Called when the deadline has come.
    ///
    /// If this program itself did not run in the meantime, it may not have read the peer's answer yet, so it waits once
    /// more.
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
    /// The number of the last pong that came.
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
