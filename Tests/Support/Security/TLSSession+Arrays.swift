package import BatonSecurity

/// What tests give to a session and take from it: arrays, where the product has spans and buffers.
extension TLSSession {
    /// Takes what came from the peer.
    package func receive(_ ciphertext: [UInt8]) throws(SecurityError) { try receive(ciphertext.span) }

    /// Takes what came from the peer.
    package func receive(_ ciphertext: ArraySlice<UInt8>) throws(SecurityError) {
        try receive(ciphertext.span)
    }

    /// Encrypts, to be drained from `nextCiphertext`.
    package func send(_ plaintext: [UInt8]) throws(SecurityError) { try send(plaintext.span) }

    /// Encrypts, to be drained from `nextCiphertext`.
    package func send(_ plaintext: ArraySlice<UInt8>) throws(SecurityError) { try send(plaintext.span) }

    /// What the peer sent, a record at a time; nil until more is received or the state has changed.
    package func nextPlaintext() throws(SecurityError) -> [UInt8]? {
        var plaintext: [UInt8] = []
        return try readPlaintext(into: &plaintext) > 0 ? plaintext : nil
    }

    /// All that the peer sent and that was received.
    package func allPlaintext() throws(SecurityError) -> [UInt8] {
        var plaintext: [UInt8] = []
        while try readPlaintext(into: &plaintext) > 0 {}
        return plaintext
    }
}
