package import BatonCore
import COpenSSL

/// A TLS session without a socket, which decrypts received bytes and encrypts bytes to send.
///
/// Pass received bytes to `receive`, and call `send` and `close`. After each call, call `readPlaintext` until it
/// returns zero, and then take `nextCiphertext`. Do this even after an error, because the ciphertext may be an alert
/// for the peer. A session must be used on one thread.
///
/// ```
///               handshake ends                  peer's close_notify, close()
/// handshaking ────────────────▶ established ────────────────────────────────▶ closed
///      │                                              error                     ▲
///      └────────────────────────────────────────────────────────────────────────┘
/// ```
@safe package final class TLSSession {
    /// The side of the handshake that a session takes.
    package enum Role: Sendable {
        case client, server
    }

    /// The state of a session.
    package enum State: Hashable, Sendable {
        /// The peer is not known yet, and nothing can be sent.
        case handshaking
        /// The peer is known.
        ///
        /// A server has verified the client's certificate. A client may still be refused by the server.
        case established(Peer)
        /// Nothing more can be sent or read.
        case closed(Ending)
    }

    /// The reason why a session is closed.
    package enum Ending: Hashable, Sendable {
        /// This side closed the session.
        case here
        /// The peer sent close_notify, and this side has read everything before it.
        case byPeer
        /// An error was thrown.
        case failed
    }

    /// The state of the session; every call may change it.
    package private(set) var state = State.handshaking
    /// The role of this side.
    package let role: Role
    /// The SSL object, which this object owns.
    private let handle: OpaquePointer
    /// The BIO from which the SSL object reads, and to which it writes.
    private let stream = CipherStream()
    /// The object that makes the decisions in the handshake.
    private let handshake: TLSHandshake
    /// The largest number of bytes that the peer may send before the handshake ends.
    private let handshakeByteLimit: Int
    /// The number of bytes that the peer has sent before the end of the handshake.
    private var handshakeByteCount = 0

    /// The default for the largest number of bytes that the peer may send before the handshake ends.
    package static let usualHandshakeByteLimit = 32 * 1024

    /// Makes a client's session, whose client hello can be taken from `nextCiphertext` immediately.
    ///
    /// A session of `baton/1` is with the given device, or with the device of the ticket cache. If neither is given,
    /// the session is with any device of the account, as when a machine is recovered. With a ticket cache, the session
    /// resumes an earlier session if possible, and stores new tickets in the cache. Certificates are verified at the
    /// system's time, unless a time in seconds since 1970 is given.
    package convenience init(
        client context: TLSContext, to device: DeviceIdentifier? = nil, tickets: TicketCache? = nil,
        tolerating tolerance: ClockTolerance = .hours,
        handshakeByteLimit: Int = usualHandshakeByteLimit, verifyingAt time: Int64? = nil
    ) throws(SecurityError) {
        try self.init(context, .client, nil, tickets, handshakeByteLimit, time)
        unsafe SSL_set_connect_state(handle)
        try handshake.beginAsClient(to: device ?? tickets?.device, tolerating: tolerance)
        try stepHandshake()
    }

    /// Makes a server's session.
    package convenience init(
        server: TLSServer, handshakeByteLimit: Int = usualHandshakeByteLimit, verifyingAt time: Int64? = nil
    ) throws(SecurityError) {
        try self.init(server.listener, .server, server, nil, handshakeByteLimit, time)
        unsafe SSL_set_accept_state(handle)
    }

    /// Makes a session for one account, as a client or as a server.
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
        _ context: TLSContext, _ role: Role, _ server: TLSServer?, _ tickets: TicketCache?,
        _ handshakeByteLimit: Int, _ time: Int64?
    ) throws(SecurityError) {
        (self.role, self.handshakeByteLimit) = (role, handshakeByteLimit)
        unsafe handle = try context.makeHandle()
        handshake = unsafe TLSHandshake(of: handle, context, role, server, tickets, time)
        let bio = unsafe try stream.makeHandle()
        // From here on, the SSL object owns the BIO.
        unsafe SSL_set_bio(handle, bio, bio)
        try handshake.attach()
    }

    deinit {
        // If a session ends without close_notify, OpenSSL makes its ticket invalid. A lost connection is no reason to
        // do that, but a record that could not be decrypted is.
        if state != .closed(.failed) {
            unsafe SSL_set_shutdown(handle, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        }
        unsafe SSL_free(handle)
    }

    // MARK: Handshake

    /// On a server, decides whether to start the handshake of a client now.
    ///
    /// The closure is called before anything expensive is computed. It is called for a client that sent a hint or that
    /// may join, unless the client shows a fresh ticket. If the closure returns false, the handshake waits for
    /// `proceed()`.
    package var mayBegin: (() -> Bool)? {
        get { handshake.mayBegin }
        set { handshake.mayBegin = newValue }
    }

    /// On a server, continues a handshake that `mayBegin` has deferred.
    package func proceed() throws(SecurityError) {
        if handshake.proceed(), state == .handshaking { try stepHandshake() }
    }

    /// Continues the handshake as far as the received bytes allow; at its end, stores the peer.
    private func stepHandshake() throws(SecurityError) {
        switch unsafe attempt({ unsafe SSL_do_handshake($0) }) {
        case .complete:
            do {
                state = .established(try handshake.readPeer())
            } catch {
                throw close(for: error)
            }
        case .incomplete:
            return
        case .ended, .failed:
            throw failure(.handshake, "The TLS handshake failed.")
        }
    }

    // MARK: Receiving

    /// Processes ciphertext from the peer.
    ///
    /// Bytes after the end of the session are ignored.
    package func receive(_ ciphertext: Span<UInt8>) throws(SecurityError) {
        var rest = 0..<ciphertext.count
        // Until the handshake ends, each byte counts towards the limit. The same piece may also contain application
        // data.
        while state == .handshaking, !rest.isEmpty {
            let count = min(rest.count, handshakeByteLimit - handshakeByteCount)
            guard count > 0 else {
                throw close(
                    for: SecurityError(.excess, "The peer sent too many bytes before the handshake ended."))
            }
            handshakeByteCount += count
            stream.receive(ciphertext.extracting(rest.prefix(count)))
            rest = rest.dropFirst(count)
            try stepHandshake()
        }
        if case .established = state, !rest.isEmpty { stream.receive(ciphertext.extracting(rest)) }
    }

    /// Decrypts plaintext from the peer, appends it to a buffer, and returns the number of bytes.
    ///
    /// One call returns at most one record, and at most `limit` bytes.
    package func readPlaintext(into buffer: inout [UInt8], limit: Int = .max) throws(SecurityError) -> Int {
        let available = min(try availablePlaintext(), limit)
        guard available > 0 else { return 0 }
        var count = 0
        var outcome = Outcome.complete
        buffer.append(addingCapacity: available) { room in
            unsafe room.withUnsafeMutableBufferPointer { bytes, filled in
                outcome = unsafe attempt { unsafe SSL_read_ex($0, bytes.baseAddress, bytes.count, &count) }
                filled = count
            }
        }
        guard case .complete = outcome else {
            throw failure(.channel, "The TLS session could not decrypt a record.")
        }
        return count
    }

    /// Returns the number of plaintext bytes that can be read now; if necessary, decrypts a record first.
    private func availablePlaintext() throws(SecurityError) -> Int {
        guard case .established = state else { return 0 }
        let pending = unsafe SSL_pending(handle)
        if pending > 0 { return Int(pending) }

        var (byte, count) = (UInt8(0), 0)
        switch unsafe attempt({ unsafe SSL_peek_ex($0, &byte, 1, &count) }) {
        case .complete:
            return Int(unsafe SSL_pending(handle))
        case .incomplete:
            return 0
        case .ended:
            state = .closed(.byPeer)
            return 0
        case .failed:
            throw failure(.channel, "The TLS session received a record that it can't decrypt.")
        }
    }

    // MARK: Sending

    /// Encrypts a frame, so that `nextCiphertext` returns it; a large body is not copied before that.
    package func send(_ frame: Frame) throws(SecurityError) {
        stream.reserve(toSend: Self.ciphertextByteCount(for: frame.byteCount))
        let (first, rest) = frame.split(after: Self.recordByteCount)
        try send(first.span)
        try send(rest.span)
    }

    /// Encrypts plaintext, so that `nextCiphertext` returns it.
    package func send(_ plaintext: Span<UInt8>) throws(SecurityError) {
        guard case .established = state else {
            throw SecurityError(.closed, "Nothing can be sent: the TLS session is not established.")
        }
        guard !plaintext.isEmpty else { return }
        var count = 0
        let outcome = unsafe plaintext.withUnsafeBytes { bytes in
            unsafe attempt { unsafe SSL_write_ex($0, bytes.baseAddress, bytes.count, &count) }
        }
        // The memory BIO accepts all bytes, so the call never has to wait.
        guard case .complete = outcome, count == plaintext.count else {
            throw failure(.channel, "The TLS session could not encrypt a record.")
        }
    }

    /// The largest number of plaintext bytes in one TLS record; longer plaintext is divided into records.
    private static let recordByteCount = 16 * 1024

    /// Returns the largest number of ciphertext bytes for this number of plaintext bytes.
    package static func ciphertextByteCount(for count: Int) -> Int {
        // Each record adds a header, a content type and an authentication tag (RFC 8446, section 5.2).
        count + (count / recordByteCount + 1) * (5 + 1 + 16)
    }

    /// Closes the session: sends close_notify if the session is established, and stops reading.
    package func close() {
        switch state {
        case .handshaking:
            state = .closed(.here)
        case .established:
            state = .closed(.here)
            sendCloseNotify()
        case .closed(.byPeer):
            // This is harmless if it is called again, because OpenSSL sends close_notify only once.
            sendCloseNotify()
        case .closed:
            return
        }
    }

    /// Sends close_notify, unless it was already sent.
    private func sendCloseNotify() {
        _ = unsafe SSL_shutdown(handle)
        ERR_clear_error()
    }

    /// Returns all bytes that must be sent to the peer now; nil if there are none.
    ///
    /// Before a server knows the client's account, it sends nothing, not even an alert.
    package func nextCiphertext() -> [UInt8]? {
        let ciphertext = stream.takeOutgoing()
        return ciphertext.isEmpty || isSilent ? nil : ciphertext
    }

    private var isSilent: Bool {
        if case .listener = handshake.context.purpose { true } else { false }
    }

    // MARK: Queries

    /// On a server, whether the client sent a hint of the account.
    package var isHinted: Bool { handshake.isHinted }

    /// On a server, whether the client shows a ticket for the first time, which proves that the client is a member.
    package var isResuming: Bool { handshake.isResuming }

    /// On a server, whether the handshake waits for `proceed()`.
    package var isDeferred: Bool { handshake.isDeferred }

    /// Whether the handshake resumed an earlier session, in which case no certificates were exchanged.
    package var isResumed: Bool { handshake.isResumed }

    /// The protocol of the session; nil until it is negotiated.
    package var negotiatedProtocol: ApplicationProtocol? { handshake.negotiatedProtocol }

    /// The peer; nil if the session is not established.
    package var peer: Peer? {
        if case .established(let peer) = state { peer } else { nil }
    }

    /// The account of this side.
    ///
    /// It is nil for a joiner, and for a server that does not know the client's account yet.
    package var account: AccountIdentifier? { handshake.context.rules?.account }

    /// The admission of the peer, made from the certificates that the peer presented.
    ///
    /// It is nil if the session was resumed, because the peer then presents no certificates. It is also nil if a
    /// certificate is too long for a roster statement.
    package var shownAdmission: RosterStatement? {
        guard let verified = handshake.verifiedPeer, let owner = verified.owner,
            let first = RosterStatement.Certificate(owner.der),
            let second = RosterStatement.Certificate(verified.identity.certificate.der)
        else { return nil }
        return .admission(owner: first, device: second)
    }

    /// Returns a secret that only the two ends of this session can derive (RFC 8446, section 7.5).
    package func exportKeyingMaterial(label: String, count: Int) throws(SecurityError) -> [UInt8] {
        guard case .established = state else {
            throw SecurityError(.closed, "Nothing can be exported: the TLS session is not established.")
        }
        let label = Array(label.utf8)
        var material = [UInt8](repeating: 0, count: count)
        try OpenSSL.succeed("export keying material") {
            unsafe label.withUnsafeBytes { label in
                let label = unsafe label.assumingMemoryBound(to: CChar.self)
                return unsafe SSL_export_keying_material(
                    handle, &material, count, label.baseAddress, label.count, nil, 0, 0)
            }
        }
        return material
    }

    // MARK: Calls and their outcomes

    /// The outcome of a call to OpenSSL.
    ///
    /// If a call needs more bytes from the peer, this is not a failure.
    private enum Outcome {
        /// The call was successful.
        case complete
        /// The call needs more bytes from the peer.
        case incomplete
        /// The peer has sent close_notify.
        case ended
        /// The call failed, and would fail again.
        case failed
    }

    /// Makes a call and returns its outcome; after a failure, the reasons are in OpenSSL's error queue.
    @unsafe private func attempt(_ call: (OpaquePointer) -> CInt) -> Outcome {
        // The queue is cleared only if it is not empty, because clearing takes longer than all other work of this
        // method.
        if ERR_peek_error() != 0 { ERR_clear_error() }
        let result = unsafe call(handle)
        switch unsafe SSL_get_error(handle, result) {
        case SSL_ERROR_NONE: return .complete
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .incomplete
        case SSL_ERROR_WANT_CLIENT_HELLO_CB where isDeferred: return .incomplete
        case SSL_ERROR_ZERO_RETURN: return .ended
        default: return .failed
        }
    }

    /// Closes the session because OpenSSL has just reported an error, and returns the error.
    private func failure(_ code: SecurityError.Code, _ message: String) -> SecurityError {
        state = .closed(.failed)
        let first = ERR_peek_error()
        let reasons = OpenSSL.drainReasons()
        if let refusal = handshake.refusal { return refusal }
        // If the peer sent an alert, OpenSSL reports a reason whose number is a fixed offset plus the number of the
        // alert.
        let alert = ERR_GET_REASON(first) - SSL_AD_REASON_OFFSET
        if alert > 0 {
            return SecurityError(
                .refusedByPeer, "The peer ended the TLS session.", reasons: reasons,
                alert: UInt8(exactly: alert))
        }
        return SecurityError(code, message, reasons: reasons)
    }

    /// Closes the session because this code has found an error, and returns that error.
    private func close(for error: SecurityError) -> SecurityError {
        state = .closed(.failed)
        return error
    }
}

/// The peer of an established session.
package enum Peer: Hashable, Sendable {
    /// A device of the account, whose certificate was verified; only the roster can tell whether the device is revoked.
    case device(DeviceIdentity)
    /// A device of the account whose chain expired at this time, in seconds since 1970, but is valid otherwise.
    ///
    /// The session may be used only if this side knows a newer certificate for the same key, or can issue one.
    case expired(DeviceIdentity, since: Int64)
    /// A machine that wants to join and has this key; the pairing must prove everything else.
    case joiner(PublicKey)
    /// A server that may be an inviter; the pairing must prove everything about it.
    case inviter
}
