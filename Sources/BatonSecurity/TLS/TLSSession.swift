import COpenSSL

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
    let context: TLSContext
    /// Which side we are.
    let role: Role
    /// The SSL; owned, and owner of both memory BIOs.
    private let handle: OpaquePointer

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

    /// A session that has yet to begin; a client's first words wait in `nextCiphertext` at once.
    ///
    /// Certificates are judged by the system's clock, unless a time is given, in seconds since 1970.
    package init(
        context: TLSContext, role: Role, handshakeByteLimit: Int = 32 * 1024, verifyingAt time: Int64? = nil
    ) throws(SecurityError) {
        (self.context, self.role, self.handshakeByteLimit) = (context, role, handshakeByteLimit)
        unsafe handle = try context.makeHandle()
        try attachStreams()
        if let time { unsafe X509_VERIFY_PARAM_set_time(SSL_get0_param(handle), Int(time)) }
        try OpenSSL.succeed("prepare a TLS session") {
            unsafe SSL_set_ex_data(handle, Self.sessionPlace, Unmanaged.passUnretained(self).toOpaque())
        }
        switch role {
        case .client:
            unsafe SSL_set_connect_state(handle)
            try stepHandshake()
        case .server:
            unsafe SSL_set_accept_state(handle)
        }
    }

    deinit { unsafe SSL_free(handle) }

    /// Where an SSL keeps its session; OpenSSL leaves the first place to applications.
    private static let sessionPlace: CInt = 0

    /// The session of an SSL; it can't be gone, because it owns the SSL.
    @unsafe static func of(_ handle: OpaquePointer?) -> TLSSession? {
        guard let pointer = unsafe SSL_get_ex_data(handle, sessionPlace) else { return nil }
        return unsafe Unmanaged<TLSSession>.fromOpaque(pointer).takeUnretainedValue()
    }

    private func attachStreams() throws(SecurityError) {
        let incoming = unsafe try OpenSSL.make("make a buffer") { unsafe BIO_new(BIO_s_mem()) }
        let outgoing: OpaquePointer
        do {
            unsafe outgoing = try OpenSSL.make("make a buffer") { unsafe BIO_new(BIO_s_mem()) }
        } catch {
            unsafe BIO_free(incoming)
            throw error
        }
        // From here on the SSL owns both.
        unsafe SSL_set_bio(handle, incoming, outgoing)
    }

    /// Lends the SSL for the length of the closure.
    @unsafe func withHandle<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(handle)
    }

    /// What the peer sent and OpenSSL has not read yet.
    @unsafe var incoming: OpaquePointer? { unsafe SSL_get_rbio(handle) }
    /// What OpenSSL has written and the driver has not taken yet.
    @unsafe var outgoing: OpaquePointer? { unsafe SSL_get_wbio(handle) }
}
