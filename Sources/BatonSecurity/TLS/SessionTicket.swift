package import BatonCore
import COpenSSL

/// A client's ticket, which lets the client resume a session with a device once.
@safe package final class SessionTicket: @unchecked Sendable {
    // Sendable, because OpenSSL counts references atomically, and a session does not change after it is stored.

    /// The `SSL_SESSION`, which this object owns; OpenSSL wipes it when it is freed.
    private let handle: OpaquePointer
    /// The device at the other end of the session.
    let peer: VerifiedPeer

    /// Takes ownership of a reference to an `SSL_SESSION`.
    init(owning handle: OpaquePointer, peer: VerifiedPeer) {
        unsafe self.handle = handle
        self.peer = peer
    }

    deinit { unsafe SSL_SESSION_free(handle) }

    /// Calls the closure with the `SSL_SESSION`.
    @unsafe func withHandle<Result>(_ body: (OpaquePointer) -> Result) -> Result { unsafe body(handle) }
}

/// A client's store for the last ticket of one device.
///
/// A ticket is removed when it is used, whatever the outcome. So no ticket is used twice.
package final class TicketCache {
    /// The device whose ticket is stored; tickets of other devices are ignored.
    let device: DeviceIdentifier
    private var ticket: SessionTicket?

    package init(for device: DeviceIdentifier) { self.device = device }

    package var isEmpty: Bool { ticket == nil }

    /// Stores a ticket of the device; it replaces the previous ticket.
    package func keep(_ ticket: SessionTicket) {
        if ticket.peer.identity.device == device { self.ticket = ticket }
    }

    /// Removes the ticket from the store and returns it.
    package func take() -> SessionTicket? { ticket.take() }
}
