package import BatonCore
import COpenSSL

/// What a client keeps of a session with a device, to begin the next one sooner; good for one use.
@safe package final class SessionTicket: @unchecked Sendable {
    // Sendable, because OpenSSL counts references atomically, and a session is not changed once it is kept.

    /// The SSL_SESSION; owned, and wiped by OpenSSL when it is freed.
    private let handle: OpaquePointer
    /// Who the peer was.
    let peer: VerifiedPeer

    /// Takes over a reference.
    init(owning handle: OpaquePointer, peer: VerifiedPeer) {
        unsafe self.handle = handle
        self.peer = peer
    }

    deinit { unsafe SSL_SESSION_free(handle) }

    /// Lends the SSL_SESSION for the length of the closure.
    @unsafe func withHandle<Result>(_ body: (OpaquePointer) -> Result) -> Result { unsafe body(handle) }
}

/// Where a client keeps the last ticket of one device.
///
/// A ticket leaves it when it is used, whatever comes of that, so none is used twice.
package final class TicketCache {
    /// Whose tickets are kept; those of others are not.
    let device: DeviceIdentifier
    private var ticket: SessionTicket?

    package init(for device: DeviceIdentifier) { self.device = device }

    package var isEmpty: Bool { ticket == nil }

    /// Keeps a ticket in place of the one before, if it is the device's.
    package func keep(_ ticket: SessionTicket) {
        if ticket.peer.identity.device == device { self.ticket = ticket }
    }

    /// Gives the ticket away.
    package func take() -> SessionTicket? { ticket.take() }
}
