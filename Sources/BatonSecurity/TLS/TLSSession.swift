import COpenSSL
import Glibc

/// One TLS session without a socket: ciphertext goes in and comes out, plaintext comes out and goes in.
///
/// Feed with `receive` and `receiveEnd`; command with `send` and `close`; then drain `nextPlaintext` and, last,
/// `nextCiphertext`, also after an error: what is left there tells the peer why. A session belongs to one thread.
///
/// ```
///               handshake ends                  peer's close_notify, close(),
/// handshaking ────────────────▶ established ────────────────────────────────▶ closed
///      │                                        error, end without close_notify   ▲
///      └──────────────────────────────────────────────────────────────────────────┘
/// ```
@safe package final class TLSSession {
    /// Which side of the handshake this is.
    package enum Role: Sendable {
        case client, server
    }

    /// How far the session is.
    package enum State: Hashable, Sendable {
        /// Nobody is known yet, and nothing can be sent.
        case handshaking
        /// The peer is known. On a server, its certificate was verified; a client may yet be refused.
        case established(Peer)
        /// Nothing can be sent or read any more.
        case closed(Ending)
    }

    /// Why a session is closed.
    package enum Ending: Hashable, Sendable {
        /// We closed it.
        case here
        /// The peer said that it has nothing more to send; all that it sent was read.
        case byPeer
        /// The transport ended before the peer said so: something may be missing.
        case truncated
        /// An error, which was thrown, made an end.
        case failed
    }

    /// How far the session is.
    ///
    /// Read it again after each call.
    package internal(set) var state = State.handshaking

    /// Who we are; outlives the session, because the callbacks ask it.
    ///
    /// A server's changes once, when the client has said which account it means.
    var context: TLSContext
    /// On a server, who else we may turn out to be.
    let server: TLSServer?
    /// On a server, whether the client gave the hint of the account.
    package internal(set) var isHinted = false
    /// On a server, whether the client shows a ticket that nobody has shown before, so that it is a member.
    package internal(set) var isResuming = false
    /// On a server, whether the handshake of a client that gave the hint, or may join, may begin now.
    ///
    /// It is asked before anything is computed; false puts the handshake off until `proceed()`. It is not asked about a
    /// client that shows a fresh ticket.
    package var mayBegin: (() -> Bool)?
    /// On a server, whether the handshake was put off.
    package internal(set) var isPutOff = false
    /// On a client, where tickets are kept.
    let purse: TicketPurse?
    /// On a client, what is to be resumed, if the server agrees.
    var offeredTicket: SessionTicket?
    /// What was found of the peer, once its certificate was judged or its ticket was opened.
    var judgement: Judgement?
    /// Which side we are.
    package let role: Role
    /// The SSL; owned.
    private let handle: OpaquePointer
    /// What the SSL reads and writes.
    let stream = CipherStream()
    /// The time to judge by in place of the system's, in seconds since 1970.
    private let time: Int64?

    /// The most bytes that the peer may send before the handshake ends.
    let handshakeByteLimit: Int
    /// How many it has sent.
    var handshakeByteCount = 0
    /// On a server, what `selectProtocol(from:)` selected.
    var selectedProtocol: ApplicationProtocol?
    /// Why `accepts` turned the peer away; thrown when OpenSSL has come back.
    var refusal: SecurityError?
    /// Whether the transport has ended, so that what is missing will never come.
    var transportHasEnded = false

    /// The most bytes that the peer may send before the handshake ends, unless said otherwise.
    package static let usualHandshakeByteLimit = 32 * 1024

    /// A client's session that has yet to begin; its first words wait in `nextCiphertext` at once.
    ///
    /// With a purse it resumes what it can, and keeps tickets there. Certificates are judged by the system's clock,
    /// unless a time is given, in seconds since 1970.
    package convenience init(
        client context: TLSContext, purse: TicketPurse? = nil,
        handshakeByteLimit: Int = usualHandshakeByteLimit, verifyingAt time: Int64? = nil
    ) throws(SecurityError) {
        try self.init(context, .client, nil, purse, handshakeByteLimit, time)
        try beginAsClient()
    }

    /// A server's session that has yet to begin.
    package convenience init(
        server: TLSServer, handshakeByteLimit: Int = usualHandshakeByteLimit, verifyingAt time: Int64? = nil
    ) throws(SecurityError) {
        try self.init(server.entrance, .server, server, nil, handshakeByteLimit, time)
        unsafe SSL_set_accept_state(handle)
    }

    /// A session of one account alone, on either side.
    package convenience init(
        context: TLSContext, role: Role, handshakeByteLimit: Int = usualHandshakeByteLimit,
        verifyingAt time: Int64? = nil
    ) throws(SecurityError) {
        switch role {
        case .client:
            try self.init(client: context, handshakeByteLimit: handshakeByteLimit, verifyingAt: time)
        case .server:
            try self.init(
                server: TLSServer([context]), handshakeByteLimit: handshakeByteLimit, verifyingAt: time)
        }
    }

    private init(
        _ context: TLSContext, _ role: Role, _ server: TLSServer?, _ purse: TicketPurse?,
        _ handshakeByteLimit: Int, _ time: Int64?
    ) throws(SecurityError) {
        (self.context, self.role, self.server, self.purse) = (context, role, server, purse)
        (self.handshakeByteLimit, self.time) = (handshakeByteLimit, time)
        unsafe handle = try context.makeHandle()
        let bio = unsafe try stream.makeHandle()
        // From here on the SSL owns it.
        unsafe SSL_set_bio(handle, bio, bio)
        if let time { unsafe X509_VERIFY_PARAM_set_time(SSL_get0_param(handle), Int(time)) }
        try OpenSSL.succeed("prepare a TLS session") {
            unsafe SSL_set_ex_data(handle, Self.sessionPlace, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    /// Says which account is meant, offers what can be resumed, and takes the first step.
    private func beginAsClient() throws(SecurityError) {
        unsafe SSL_set_connect_state(handle)
        if let rules = context.rules {
            let hint = try rules.hintKey.hint(at: now).description
            try OpenSSL.succeed("name an account") {
                unsafe COpenSSL_SSL_set_tlsext_host_name(handle, hint)
            }
            try offerTicket(rules)
        }
        try stepHandshake()
    }

    /// The time by which certificates and hints are judged, in seconds since 1970.
    var now: Int64 { time ?? Int64(Glibc.time(nil)) }

    deinit {
        // OpenSSL spoils the ticket of a session that ends without a goodbye. That a cable was pulled is no reason to;
        // that something did not decrypt is.
        if state != .closed(.failed) {
            unsafe SSL_set_shutdown(handle, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        }
        unsafe SSL_free(handle)
    }

    /// Where an SSL keeps its session; OpenSSL leaves the first place to applications.
    private static let sessionPlace: CInt = 0

    /// The session of an SSL; it can't be gone, because it owns the SSL.
    @unsafe static func of(_ handle: OpaquePointer?) -> TLSSession? {
        guard let pointer = unsafe SSL_get_ex_data(handle, sessionPlace) else { return nil }
        return unsafe Unmanaged<TLSSession>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Lends the SSL for the length of the closure.
    @unsafe func withHandle<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(handle)
    }
}
