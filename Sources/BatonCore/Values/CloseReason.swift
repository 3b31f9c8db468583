/// The code of the reason why a connection ends.
///
/// One side sends it to the other side.
///
/// The numbers are part of the protocol.
package struct CloseCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The node is stopping.
    package static let goingAway = CloseCode(rawValue: 0)
    /// The same two devices have a newer connection.
    package static let replaced = CloseCode(rawValue: 1)
    /// The opening messages did not arrive in time.
    package static let timeout = CloseCode(rawValue: 2)
    /// A disk error occurred.
    ///
    /// The peer may try again later.
    package static let storage = CloseCode(rawValue: 3)
    /// The node is busy.
    ///
    /// Either it has too many connections, or it is still reading the statements that say whether the peer was revoked.
    package static let busy = CloseCode(rawValue: 4)
    /// The peer's writes may be older than tombstones that were garbage-collected here.
    ///
    /// The peer must reconnect and first receive a snapshot.
    package static let setBack = CloseCode(rawValue: 5)
    /// The peer did not acknowledge the data that was sent to it.
    package static let silent = CloseCode(rawValue: 6)
    /// The peer does not read the data that it is sent.
    package static let unread = CloseCode(rawValue: 7)
    /// Another machine writes under this device's current life.
    ///
    /// This device then begins a new life.
    package static let lifeTaken = CloseCode(rawValue: 8)
    /// Two different parts of vectors had the same digest.
    ///
    /// With another salt, their digests will differ.
    package static let mistaken = CloseCode(rawValue: 9)
    /// The session must be restarted, for example because this side gave up claims.
    ///
    /// The peer should reconnect.
    package static let startingOver = CloseCode(rawValue: 10)
    /// A frame was longer than the limit.
    package static let frameTooLarge = CloseCode(rawValue: 16)
    /// A frame had a kind that is unknown to this version.
    package static let unknownFrame = CloseCode(rawValue: 17)
    /// A message did not follow the specification.
    package static let malformed = CloseCode(rawValue: 18)
    /// A message arrived in a state of the session in which it is not allowed.
    package static let unexpected = CloseCode(rawValue: 19)
    /// The peer sent more than the window allows.
    package static let windowExceeded = CloseCode(rawValue: 20)
    /// The device or the account is not the one in the certificate.
    package static let identity = CloseCode(rawValue: 21)
    /// The two sides have no version of the protocol in common.
    package static let version = CloseCode(rawValue: 22)
    /// The peer claims less than it claimed before.
    package static let backwards = CloseCode(rawValue: 23)
    /// The peer keeps sending messages without new content.
    package static let idle = CloseCode(rawValue: 24)
    /// The peer acknowledged a batch that is not in flight.
    package static let notSent = CloseCode(rawValue: 25)
    /// A batch does not follow the one before it.
    package static let outOfOrder = CloseCode(rawValue: 26)
    /// The roster does not list the device as a member of the account.
    package static let notMember = CloseCode(rawValue: 27)
    /// The certificate of a member has expired, and this device can neither renew it nor provide a newer one.
    package static let expired = CloseCode(rawValue: 28)

    /// Whether it can help to retry soon.
    ///
    /// If a peer violated the protocol, it will do so again.
    package var isTransient: Bool { rawValue < 16 }
}

/// A close code, and a sentence for the log.
package struct CloseReason: Error, Equatable, Sendable, CustomStringConvertible {
    package let code: CloseCode
    package let text: String

    package init(_ code: CloseCode, _ text: String) { (self.code, self.text) = (code, text) }

    package var description: String { "\(text) (code \(code.rawValue))" }

    /// The maximum length in bytes of a sentence that is read from a peer.
    static let textBytes = 1024
}
