package import BatonCore
import COpenSSL

extension TLSSession {
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

    /// Takes what came from the peer.
    package func receive(_ ciphertext: [UInt8]) throws(SecurityError) { try receive(ciphertext.span) }

    /// Takes what came from the peer.
    package func receive(_ ciphertext: ArraySlice<UInt8>) throws(SecurityError) {
        try receive(ciphertext.span)
    }

    /// On a server, goes on with a handshake that was put off.
    package func proceed() throws(SecurityError) {
        guard isPutOff else { return }
        (isPutOff, mayBegin) = (false, nil)
        if state == .handshaking { try stepHandshake() }
    }

    /// Learns that nothing more comes from the peer.
    ///
    /// Whether something is missing shows when the rest is read.
    package func receiveEnd() throws(SecurityError) {
        transportHasEnded = true
        if state == .handshaking { throw truncation("The connection ended before the TLS handshake.") }
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

    /// Encrypts, to be drained from `nextCiphertext`.
    package func send(_ plaintext: [UInt8]) throws(SecurityError) { try send(plaintext.span) }

    /// Encrypts, to be drained from `nextCiphertext`.
    package func send(_ plaintext: ArraySlice<UInt8>) throws(SecurityError) { try send(plaintext.span) }

    /// Encrypts a frame, to be drained from `nextCiphertext`; a large body is not copied before.
    package func send(_ frame: Frame) throws(SecurityError) {
        stream.expect(toSend: Self.ciphertextByteCount(for: frame.byteCount))
        let (first, rest) = frame.split(after: Self.recordByteCount)
        try send(first)
        try send(rest)
    }

    /// How many bytes one record of TLS carries at most; what is sent is cut by that.
    package static let recordByteCount = 16 * 1024

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
            sayGoodbye()
        case .closed(.byPeer):
            // A second call is harmless: OpenSSL says it once.
            sayGoodbye()
        case .closed:
            return
        }
    }

    /// Writes a close_notify, if none was written.
    private func sayGoodbye() {
        unsafe withHandle { _ = unsafe SSL_shutdown($0) }
        ERR_clear_error()
    }
}
