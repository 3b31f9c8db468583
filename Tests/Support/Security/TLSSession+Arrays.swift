package import BatonSecurity

/// Conveniences for tests: arrays in place of the product's spans and buffers.
extension TLSSession {
    /// Processes ciphertext from the peer.
    package func receive(_ ciphertext: [UInt8]) throws(SecurityError) { try receive(ciphertext.span) }

    /// Processes ciphertext from the peer.
    package func receive(_ ciphertext: ArraySlice<UInt8>) throws(SecurityError) {
        try receive(ciphertext.span)
    }

    /// Encrypts plaintext for `nextCiphertext`.
    package func send(_ plaintext: [UInt8]) throws(SecurityError) { try send(plaintext.span) }

    /// Encrypts plaintext for `nextCiphertext`.
    package func send(_ plaintext: ArraySlice<UInt8>) throws(SecurityError) { try send(plaintext.span) }

    /// Returns the plaintext of one record, or nil until more arrives or the state changes.
    package func nextPlaintext() throws(SecurityError) -> [UInt8]? {
        var plaintext: [UInt8] = []
        return try readPlaintext(into: &plaintext) > 0 ? plaintext : nil
    }

    /// Returns all plaintext that was received.
    package func allPlaintext() throws(SecurityError) -> [UInt8] {
        var plaintext: [UInt8] = []
        while try readPlaintext(into: &plaintext) > 0 {}
        return plaintext
    }
}
