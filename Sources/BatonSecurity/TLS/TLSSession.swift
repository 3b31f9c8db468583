package import BatonCore
import COpenSSL

/// One TLS session without a socket: ciphertext goes in and comes out, plaintext comes out and goes in.
///
/// Feed with `receive`; command with `send` and `close`; then drain `readPlaintext` and, last, `nextCiphertext`, also
/// after an error: what is left there tells the peer why. A session belongs to one thread.
///
/// ```
///               handshake ends                  peer's close_notify, close()
/// handshaking ────────────────▶ established ────────────────────────────────▶ closed
///      │                                              error                     ▲
///      └────────────────────────────────────────────────────────────────────────┘
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
        /// An error, which was thrown, made an end.
        case failed
    }

    /// How far the session is.
    ///
    /// Read it again after each call.
    package private(set) var state = State.handshaking
    /// Which side we are.
    package let role: Role
    /// The SSL; owned.
    private let handle: OpaquePointer
    /// What the SSL reads and writes.
    private let stream = CipherStream()
    /// What is decided in the handshake.
    private let handshake: TLSHandshake
    /// The most bytes that the peer may send before the handshake ends.
    private let handshakeByteLimit: Int
    /// How many it has sent.
    private var handshakeByteCount = 0

    /// The most bytes that the peer may send before the handshake ends, unless said otherwise.
    package static let usualHandshakeByteLimit = 32 * 1024

    /// A client's session that has yet to begin; its first words wait in `nextCiphertext` at once.
    ///
    /// With a tickets it resumes what it can, and keeps tickets there. Certificates are judged by the system's clock,
    /// unless a time is given, in seconds since 1970.
    package convenience init(
        client context: TLSContext, tickets: TicketCache? = nil,
        handshakeByteLimit: Int = usualHandshakeByteLimit, verifyingAt time: Int64? = nil
    ) throws(SecurityError) {
        try self.init(context, .client, nil, tickets, handshakeByteLimit, time)
        unsafe SSL_set_connect_state(handle)
        try handshake.beginAsClient()
        try stepHandshake()
    }

    /// A server's session that has yet to begin.
    package convenience init(
        server: TLSServer, handshakeByteLimit: Int = usualHandshakeByteLimit, verifyingAt time: Int64? = nil
    ) throws(SecurityError) {
        try self.init(server.listener, .server, server, nil, handshakeByteLimit, time)
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
        _ context: TLSContext, _ role: Role, _ server: TLSServer?, _ tickets: TicketCache?,
        _ handshakeByteLimit: Int, _ time: Int64?
    ) throws(SecurityError) {
        (self.role, self.handshakeByteLimit) = (role, handshakeByteLimit)
        unsafe handle = try context.makeHandle()
        handshake = unsafe TLSHandshake(of: handle, context, role, server, tickets, time)
        let bio = unsafe try stream.makeHandle()
        // From here on the SSL owns it.
        unsafe SSL_set_bio(handle, bio, bio)
        try handshake.attach()
    }

    deinit {
        // OpenSSL spoils the ticket of a session that ends without a goodbye. That a cable was pulled is no reason to;
        // that something did not decrypt is.
        if state != .closed(.failed) {
            unsafe SSL_set_shutdown(handle, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        }
        unsafe SSL_free(handle)
    }

    // MARK: Handshake

    /// On a server, whether the handshake of a client that gave the hint, or may join, may begin now.
    ///
    /// It is asked before anything is computed; false puts the handshake off until `proceed()`. It is not asked about a
    /// client that shows a fresh ticket.
    package var mayBegin: (() -> Bool)? {
        get { handshake.mayBegin }
        set { handshake.mayBegin = newValue }
    }

    /// On a server, goes on with a handshake that was put off.
    package func proceed() throws(SecurityError) {
        if handshake.proceed(), state == .handshaking { try stepHandshake() }
    }

    /// Goes on with the handshake as far as the bytes go, and learns who the peer is at its end.
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

    // MARK: What comes from the peer

    /// Takes what came from the peer.
    ///
    /// What comes after the end is ignored.
    package func receive(_ ciphertext: Span<UInt8>) throws(SecurityError) {
        var rest = 0..<ciphertext.count
        // Up to the end of the handshake, only as much as the peer may say before it; the peer may already say more.
        while state == .handshaking, !rest.isEmpty {
            let count = min(rest.count, handshakeByteLimit - handshakeByteCount)
            guard count > 0 else {
                throw close(
                    for: SecurityError(.excess, "The peer sent too much before the handshake ended."))
            }
            handshakeByteCount += count
            stream.receive(ciphertext.extracting(rest.prefix(count)))
            rest = rest.dropFirst(count)
            try stepHandshake()
        }
        if case .established = state, !rest.isEmpty { stream.receive(ciphertext.extracting(rest)) }
    }

    /// Adds what the peer said to a buffer, of one record at most and up to a limit, and tells how many bytes that were.
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
        guard case .complete = outcome else { throw failure(.channel, "The TLS session could not decrypt.") }
        return count
    }

    /// How many bytes of plaintext can be read in one go; decrypts a record if there are none yet.
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
            throw failure(.channel, "The TLS session received what it can't decrypt.")
        }
    }

    // MARK: What goes to the peer

    /// Encrypts a frame, to be drained from `nextCiphertext`; a large body is not copied before.
    package func send(_ frame: Frame) throws(SecurityError) {
        stream.reserve(toSend: Self.ciphertextByteCount(for: frame.byteCount))
        let (first, rest) = frame.split(after: Self.recordByteCount)
        try send(first.span)
        try send(rest.span)
    }

    /// Encrypts, to be drained from `nextCiphertext`.
    package func send(_ plaintext: Span<UInt8>) throws(SecurityError) {
        guard case .established = state else {
            throw SecurityError(.closed, "Nothing can be sent: the TLS session is not established.")
        }
        guard !plaintext.isEmpty else { return }
        var count = 0
        let outcome = unsafe plaintext.withUnsafeBytes { bytes in
            unsafe attempt { unsafe SSL_write_ex($0, bytes.baseAddress, bytes.count, &count) }
        }
        // A memory BIO takes all that is written, so there is nothing to wait for.
        guard case .complete = outcome, count == plaintext.count else {
            throw failure(.channel, "The TLS session could not encrypt.")
        }
    }

    /// How many bytes one record of TLS carries at most; what is sent is cut by that.
    private static let recordByteCount = 16 * 1024

    /// How many bytes are to be sent to the peer for so many of plaintext, at most.
    package static func ciphertextByteCount(for count: Int) -> Int {
        // The record's head, the kind of its contents, and the authentication (RFC 8446, 5.2).
        count + (count / recordByteCount + 1) * (5 + 1 + 16)
    }

    /// Tells the peer that nothing follows, if there is a session.
    ///
    /// Nothing is read any more.
    package func close() {
        switch state {
        case .handshaking:
            state = .closed(.here)
        case .established:
            state = .closed(.here)
            sendCloseNotify()
        case .closed(.byPeer):
            // A second call is harmless: OpenSSL says it once.
            sendCloseNotify()
        case .closed:
            return
        }
    }

    /// Writes a close_notify, if none was written.
    private func sendCloseNotify() {
        _ = unsafe SSL_shutdown(handle)
        ERR_clear_error()
    }

    /// All that must be sent to the peer now, or nothing.
    ///
    /// A server that does not know which account is meant says nothing at all, whatever OpenSSL would say.
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

    /// On a server, whether the client shows a ticket that nobody has shown before, so that it is a member.
    package var isResuming: Bool { handshake.isResuming }

    /// On a server, whether the handshake was put off.
    package var isDeferred: Bool { handshake.isDeferred }

    /// Whether the handshake went on from an earlier session, without certificates.
    package var isResumed: Bool { handshake.isResumed }

    /// What is spoken, as soon as it is agreed.
    package var negotiatedProtocol: ApplicationProtocol? { handshake.negotiatedProtocol }

    /// Who is at the other end, while the session is established.
    package var peer: Peer? {
        if case .established(let peer) = state { peer } else { nil }
    }

    /// The account of which this side speaks; nothing on a server before it is known which one is meant, and on a
    /// joiner.
    package var account: AccountIdentifier? { handshake.context.rules?.account }

    /// The chain that the device at the other end showed, as the admission that it is; nothing if it showed none,
    /// because this goes on from an earlier session, or if a certificate is too long for a statement.
    package var shownAdmission: RosterStatement? {
        guard let verified = handshake.verifiedPeer, let owner = verified.owner,
            let first = RosterStatement.Certificate(owner.der),
            let second = RosterStatement.Certificate(verified.identity.certificate.der)
        else { return nil }
        return .admission(owner: first, device: second)
    }

    /// A secret that both ends of this very session can make, and nobody else (RFC 8446, 7.5).
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

    /// What a call that reads or writes came to.
    ///
    /// That more bytes are wanted is no error.
    private enum Outcome {
        /// It did what was asked.
        case complete
        /// It needs more bytes from the peer.
        case incomplete
        /// The peer has said that nothing follows.
        case ended
        /// It can't be done, now or later.
        case failed
    }

    /// Makes a call on the SSL and classifies its answer; the reasons for a failure are left in the queue.
    @unsafe private func attempt(_ call: (OpaquePointer) -> CInt) -> Outcome {
        ERR_clear_error()
        let result = unsafe call(handle)
        switch unsafe SSL_get_error(handle, result) {
        case SSL_ERROR_NONE: return .complete
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .incomplete
        case SSL_ERROR_WANT_CLIENT_HELLO_CB where isDeferred: return .incomplete
        case SSL_ERROR_ZERO_RETURN: return .ended
        default: return .failed
        }
    }

    /// Closes the session for an error that OpenSSL has just reported, and makes the error.
    private func failure(_ code: SecurityError.Code, _ message: String) -> SecurityError {
        state = .closed(.failed)
        let first = ERR_peek_error()
        let reasons = OpenSSL.drainReasons()
        if let refusal = handshake.refusal { return refusal }
        // An alert of the peer is a reason of its own: its number, and a fixed distance.
        if ERR_GET_REASON(first) > SSL_AD_REASON_OFFSET {
            return SecurityError(.refusedByPeer, "The peer ended the TLS session.", reasons: reasons)
        }
        return SecurityError(code, message, reasons: reasons)
    }

    /// Closes the session for an error of our own, and hands the error back to be thrown.
    private func close(for error: SecurityError) -> SecurityError {
        state = .closed(.failed)
        return error
    }
}

/// Who is at the other end of an established session.
package enum Peer: Hashable, Sendable {
    /// A device of the account, by a certificate that was verified. Whether it is revoked is for the roster to say.
    case device(DeviceIdentity)
    /// A device of the account whose chain is right but for its end, which was then, in seconds since 1970.
    ///
    /// It is nobody to be talked to, unless whoever is told knows a newer certificate of the same key, or may make one.
    case expired(DeviceIdentity, since: Int64)
    /// Someone who wants to join, and holds this key. Nothing else is known; pairing must prove the rest.
    case joiner(PublicKey)
    /// Someone who may be an inviter. Nothing is known; pairing must prove everything.
    case inviter
}
