package import BatonCore
import COpenSSL

/// A TLS session without a socket: it turns received ciphertext into plaintext, and plaintext into ciphertext to send.
///
/// Pass received bytes to `receive`, and call `send` and `close`. After each call, read with `readPlaintext` until it
/// returns zero, and then take `nextCiphertext`, even after an error: its result may be an alert for the peer. A
/// session is used on one thread.
///
/// ```
///               handshake ends                  peer's close_notify, close()
/// handshaking ────────────────▶ established ────────────────────────────────▶ closed
///      │                                              error                     ▲
///      └────────────────────────────────────────────────────────────────────────┘
/// ```
@safe package final class TLSSession {
    /// The side of the handshake.
    package enum Role: Sendable {
        case client, server
    }

    /// The progress of a session.
    package enum State: Hashable, Sendable {
        /// The peer is not yet known, and nothing can be sent.
        case handshaking
        /// The peer is known. A server has verified its certificate; a client may still be refused by the server.
        case established(Peer)
        /// Nothing more can be sent or read.
        case closed(Ending)
    }

    /// The reason for which a session is closed.
    package enum Ending: Hashable, Sendable {
        /// This side closed it.
        case here
        /// The peer sent close_notify, and everything before it was read.
        case byPeer
        /// An error was thrown.
        case failed
    }

    /// The progress of the session; read it again after each call.
    package private(set) var state = State.handshaking
    /// This side's role.
    package let role: Role
    /// The SSL; owned.
    private let handle: OpaquePointer
    /// The BIO that the SSL reads and writes.
    private let stream = CipherStream()
    /// The decisions of the handshake.
    private let handshake: TLSHandshake
    /// The most bytes that the peer may send before the handshake ends.
    private let handshakeByteLimit: Int
    /// The bytes that the peer has sent before the end of the handshake.
    private var handshakeByteCount = 0

    /// The default limit of bytes that the peer may send before the handshake ends.
    package static let usualHandshakeByteLimit = 32 * 1024

    /// Makes a client's session; its client hello is in `nextCiphertext` at once.
    ///
    /// A session of `baton/1` is with the given device, or with the device of the ticket cache. If neither is given, as
    /// when a machine is recovered, it is with any device of the account. With a cache, it resumes a session if it can,
    /// and keeps new tickets in the cache. Certificates are verified by the system's clock unless a time is given, in
    /// seconds since 1970.
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

    /// Makes a session of a single account, on either side.
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
        // From here on, the SSL owns the BIO.
        unsafe SSL_set_bio(handle, bio, bio)
        try handshake.attach()
    }

    deinit {
        // OpenSSL invalidates the ticket of a session that ends without close_notify. A lost connection is no reason
        // for that, but a record that did not decrypt is.
        if state != .closed(.failed) {
            unsafe SSL_set_shutdown(handle, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        }
        unsafe SSL_free(handle)
    }

    // MARK: Handshake

    /// On a server, decides whether to start the handshake of a client now.
    ///
    /// It is called before anything is computed, for a client that gave the hint or may join, but not for one that
    /// shows a fresh ticket. If it returns false, the handshake waits for `proceed()`.
    package var mayBegin: (() -> Bool)? {
        get { handshake.mayBegin }
        set { handshake.mayBegin = newValue }
    }

    /// On a server, continues a handshake that `mayBegin` deferred.
    package func proceed() throws(SecurityError) {
        if handshake.proceed(), state == .handshaking { try stepHandshake() }
    }

    /// Continues the handshake as far as the received bytes allow, and sets the peer at its end.
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
    /// Anything after the end of the session is ignored.
    package func receive(_ ciphertext: Span<UInt8>) throws(SecurityError) {
        var rest = 0..<ciphertext.count
        // Until the handshake ends, the bytes count against the limit. Application data may follow in the same piece.
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

    /// Appends plaintext from the peer to a buffer, at most one record and at most `limit` bytes, and returns the byte
    /// count.
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

    /// Returns how many bytes of plaintext can be read at once, after decrypting a record if necessary.
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

    /// Encrypts a frame for `nextCiphertext`, without first copying a large body.
    package func send(_ frame: Frame) throws(SecurityError) {
        stream.reserve(toSend: Self.ciphertextByteCount(for: frame.byteCount))
        let (first, rest) = frame.split(after: Self.recordByteCount)
        try send(first.span)
        try send(rest.span)
    }

    /// Encrypts plaintext for `nextCiphertext`.
    package func send(_ plaintext: Span<UInt8>) throws(SecurityError) {
        guard case .established = state else {
            throw SecurityError(.closed, "Nothing can be sent: the TLS session is not established.")
        }
        guard !plaintext.isEmpty else { return }
        var count = 0
        let outcome = unsafe plaintext.withUnsafeBytes { bytes in
            unsafe attempt { unsafe SSL_write_ex($0, bytes.baseAddress, bytes.count, &count) }
        }
        // A memory BIO accepts everything, so there is nothing to wait for.
        guard case .complete = outcome, count == plaintext.count else {
            throw failure(.channel, "The TLS session could not encrypt a record.")
        }
    }

    /// The most bytes of plaintext in one TLS record; longer plaintext is split.
    private static let recordByteCount = 16 * 1024

    /// Returns the most bytes of ciphertext that the given number of plaintext bytes needs.
    package static func ciphertextByteCount(for count: Int) -> Int {
        // Each record adds a header, a content type and an authentication tag (RFC 8446, section 5.2).
        count + (count / recordByteCount + 1) * (5 + 1 + 16)
    }

    /// Sends close_notify if the session is established, and stops reading.
    package func close() {
        switch state {
        case .handshaking:
            state = .closed(.here)
        case .established:
            state = .closed(.here)
            sendCloseNotify()
        case .closed(.byPeer):
            // A second call is harmless, because OpenSSL sends close_notify only once.
            sendCloseNotify()
        case .closed:
            return
        }
    }

    /// Writes a close_notify unless one was already written.
    private func sendCloseNotify() {
        _ = unsafe SSL_shutdown(handle)
        ERR_clear_error()
    }

    /// Returns everything that must be sent to the peer now, or nil.
    ///
    /// A server sends nothing, not even an alert, before it knows which account the client means.
    package func nextCiphertext() -> [UInt8]? {
        let ciphertext = stream.takeOutgoing()
        return ciphertext.isEmpty || isSilent ? nil : ciphertext
    }

    private var isSilent: Bool {
        if case .listener = handshake.context.purpose { true } else { false }
    }

    // MARK: Queries

    /// On a server, whether the client gave the hint of the account.
    package var isHinted: Bool { handshake.isHinted }

    /// On a server, whether the client shows a ticket that was never shown before, which proves that it is a member.
    package var isResuming: Bool { handshake.isResuming }

    /// On a server, whether the handshake waits for `proceed()`.
    package var isDeferred: Bool { handshake.isDeferred }

    /// Whether the handshake resumed an earlier session, without certificates.
    package var isResumed: Bool { handshake.isResumed }

    /// The protocol of the session, or nil until it is negotiated.
    package var negotiatedProtocol: ApplicationProtocol? { handshake.negotiatedProtocol }

    /// The peer, or nil unless the session is established.
    package var peer: Peer? {
        if case .established(let peer) = state { peer } else { nil }
    }

    /// The account of this side, or nil for a joiner and for a server that does not yet know which account the client
    /// means.
    package var account: AccountIdentifier? { handshake.context.rules?.account }

    /// The admission that the peer's certificate chain stands for.
    ///
    /// It is nil if the session was resumed, so that the peer presented no chain, or if a certificate is too long for a
    /// roster statement.
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

    /// The result of an SSL call.
    ///
    /// A call that needs more bytes from the peer has not failed.
    private enum Outcome {
        /// The call did what was asked.
        case complete
        /// The call needs more bytes from the peer.
        case incomplete
        /// The peer has sent close_notify.
        case ended
        /// The call failed, and can't succeed later.
        case failed
    }

    /// Makes a call on the SSL and classifies its result; the reasons for a failure stay in OpenSSL's queue.
    @unsafe private func attempt(_ call: (OpaquePointer) -> CInt) -> Outcome {
        // Clearing a queue that is already empty would take longer than everything else that is done here.
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

    /// Closes the session because of an error that OpenSSL has just reported, and returns the error.
    private func failure(_ code: SecurityError.Code, _ message: String) -> SecurityError {
        state = .closed(.failed)
        let first = ERR_peek_error()
        let reasons = OpenSSL.drainReasons()
        if let refusal = handshake.refusal { return refusal }
        // OpenSSL reports an alert of the peer as a reason whose number is the alert's plus a fixed offset.
        let alert = ERR_GET_REASON(first) - SSL_AD_REASON_OFFSET
        if alert > 0 {
            return SecurityError(
                .refusedByPeer, "The peer ended the TLS session.", reasons: reasons,
                alert: UInt8(exactly: alert))
        }
        return SecurityError(code, message, reasons: reasons)
    }

    /// Closes the session because of an error of our own, and returns the error.
    private func close(for error: SecurityError) -> SecurityError {
        state = .closed(.failed)
        return error
    }
}

/// The peer of an established session.
package enum Peer: Hashable, Sendable {
    /// A device of the account, with a verified certificate. Whether it is revoked is a question for the roster.
    case device(DeviceIdentity)
    /// A device of the account whose chain is valid except that it expired at the given time, in seconds since 1970.
    ///
    /// The session may be used only if this side knows a newer certificate of the same key, or can issue one.
    case expired(DeviceIdentity, since: Int64)
    /// A machine that wants to join, and holds this key. Pairing must prove everything else.
    case joiner(PublicKey)
    /// A server that may be an inviter. Pairing must prove everything about it.
    case inviter
}
