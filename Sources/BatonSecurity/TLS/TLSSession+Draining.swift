import COpenSSL

extension TLSSession {
    /// What the peer said, a record at a time, or nothing until more is received or the state has changed.
    package func nextPlaintext() throws(SecurityError) -> [UInt8]? {
        var plaintext: [UInt8] = []
        return try readPlaintext(into: &plaintext) > 0 ? plaintext : nil
    }

    /// Adds all that the peer said to a buffer, up to a limit, and tells how many bytes that were.
    package func drainPlaintext(into buffer: inout [UInt8], limit: Int = .max) throws(SecurityError) -> Int {
        let start = buffer.count
        while try readPlaintext(into: &buffer, limit: limit - (buffer.count - start)) > 0 {}
        return buffer.count - start
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

    /// All that must be sent to the peer now, or nothing.
    ///
    /// A server that does not know which account is meant says nothing at all, whatever OpenSSL would say.
    package func nextCiphertext() -> [UInt8]? {
        let ciphertext = stream.takeOutgoing()
        return ciphertext.isEmpty || isMute ? nil : ciphertext
    }

    /// Adds all that must be sent to the peer to a buffer, and tells how many bytes that were.
    package func drainCiphertext(into buffer: inout [UInt8]) -> Int {
        guard let ciphertext = nextCiphertext() else { return 0 }
        buffer += ciphertext
        return ciphertext.count
    }

    private var isMute: Bool {
        if case .entrance = context.purpose { true } else { false }
    }

    /// How many bytes of plaintext can be read in one go; decrypts a record if there are none yet.
    private func availablePlaintext() throws(SecurityError) -> Int {
        guard case .established = state else { return 0 }
        let pending = unsafe withHandle { unsafe SSL_pending($0) }
        if pending > 0 { return Int(pending) }

        var (byte, count) = (UInt8(0), 0)
        switch unsafe attempt({ unsafe SSL_peek_ex($0, &byte, 1, &count) }) {
        case .complete:
            return unsafe Int(withHandle { unsafe SSL_pending($0) })
        case .incomplete:
            guard transportHasEnded else { return 0 }
            throw truncation("The connection ended, but the peer had not said so.")
        case .ended:
            state = .closed(.byPeer)
            return 0
        case .failed:
            throw failure(.channel, "The TLS session received what it can't decrypt.")
        }
    }

    /// Closes the session because the transport ended too early, and makes the error.
    func truncation(_ message: String) -> SecurityError {
        state = .closed(.truncated)
        return SecurityError(.truncated, message)
    }
}
