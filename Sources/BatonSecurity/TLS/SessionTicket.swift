package import BatonCore
import COpenSSL

/// A client's ticket for resuming a session with a device once.
@safe package final class SessionTicket: @unchecked Sendable {
    // Sendable, because OpenSSL counts references atomically, and a session does not change after it is kept.

    /// The SSL_SESSION; owned, and wiped by OpenSSL when it is freed.
    private let handle: OpaquePointer
    /// The peer of the session.
    let peer: VerifiedPeer

    /// Takes ownership of a reference.
    init(owning handle: OpaquePointer, peer: VerifiedPeer) {
        unsafe self.handle = handle
        self.peer = peer
    }

    deinit { unsafe SSL_SESSION_free(handle) }

    /// Lends the SSL_SESSION to the closure.
    @unsafe func withHandle<Result>(_ body: (OpaquePointer) -> Result) -> Result { unsafe body(handle) }
}

/// Keeps the last ticket of one device on a client.
///
/// A ticket is removed when it is used, whatever the outcome, so that none is used twice.
package final class TicketCache {
    /// The device whose tickets are kept; tickets of other devices are ignored.
    let device: DeviceIdentifier
    private var ticket: SessionTicket?

    package init(for device: DeviceIdentifier) { self.device = device }

    package var isEmpty: Bool { ticket == nil }

    /// Keeps a ticket of the device, in place of the previous one.
    package func keep(_ ticket: SessionTicket) {
        if ticket.peer.identity.device == device { self.ticket = ticket }
    }

    /// Removes the ticket and returns it.
    package func take() -> SessionTicket? { ticket.take() }
}
