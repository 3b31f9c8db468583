/// Why a connection ends, as one side tells the other.
///
/// Numbers are part of the protocol.
package struct CloseCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The node stops.
    package static let goingAway = CloseCode(rawValue: 0)
    /// The same two devices have a newer connection.
    package static let replaced = CloseCode(rawValue: 1)
    /// The opening messages did not come in time.
    package static let timeout = CloseCode(rawValue: 2)
    /// The disk refused; the peer may try again later.
    package static let storage = CloseCode(rawValue: 3)
    /// There are as many connections as the limits allow.
    package static let busy = CloseCode(rawValue: 4)
    /// The peer's writes may be older than what was let go here: it is to begin a new connection, and to take a
    /// snapshot first.
    package static let setBack = CloseCode(rawValue: 5)
    /// The peer did not acknowledge what was sent to it.
    package static let silent = CloseCode(rawValue: 6)
    /// The peer does not read what is sent to it.
    package static let unread = CloseCode(rawValue: 7)
    /// Someone makes writes in the name of this device's present life, which is given up for another one.
    package static let lifeTaken = CloseCode(rawValue: 8)
    /// Parts of two vectors were taken for the same and are not; with another salt they are told apart.
    package static let mistaken = CloseCode(rawValue: 9)
    /// This side gave up what it claimed, because a snapshot of it can't come to its end; it is to be met anew.
    package static let startingOver = CloseCode(rawValue: 10)
    /// A frame was longer than its limit.
    package static let frameTooLarge = CloseCode(rawValue: 16)
    /// A frame of a kind that this version does not have.
    package static let unknownFrame = CloseCode(rawValue: 17)
    /// A message was not what the specification says.
    package static let malformed = CloseCode(rawValue: 18)
    /// A message came in a state in which it may not.
    package static let unexpected = CloseCode(rawValue: 19)
    /// A sender went beyond the window.
    package static let windowExceeded = CloseCode(rawValue: 20)
    /// The device or account is another than the certificate says.
    package static let identity = CloseCode(rawValue: 21)
    /// The two have no version in common.
    package static let version = CloseCode(rawValue: 22)
    /// The peer claims less than it claimed before.
    package static let backwards = CloseCode(rawValue: 23)
    /// The peer goes on sending what brings nothing.
    package static let idle = CloseCode(rawValue: 24)
    /// An acknowledgement of what is not on the way.
    package static let notSent = CloseCode(rawValue: 25)
    /// A batch does not follow the one before it.
    package static let outOfOrder = CloseCode(rawValue: 26)
    /// The roster does not say that the device belongs to the account.
    package static let notMember = CloseCode(rawValue: 27)
    /// The certificate of a member has ended, and nobody here may renew it or knows a newer one.
    package static let expired = CloseCode(rawValue: 28)

    /// Whether trying again soon can help; a peer that broke the protocol will break it again.
    package var isTransient: Bool { rawValue < 16 }
}

/// A close code and a sentence for the log of who reads it.
package struct CloseReason: Error, Equatable, Sendable, CustomStringConvertible {
    package let code: CloseCode
    package let text: String

    package init(_ code: CloseCode, _ text: String) { (self.code, self.text) = (code, text) }

    package var description: String { "\(text) (code \(code.rawValue))" }

    /// The longest sentence that is read from a peer.
    static let textBytes = 1024
}
