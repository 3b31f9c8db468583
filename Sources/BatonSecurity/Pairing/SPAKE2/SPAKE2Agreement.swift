/// What two sides of SPAKE2 have in common, if they know the same: the key schedule of RFC 9382, section 4.
package struct SPAKE2Agreement: Sendable {
    /// The key for what follows: the RFC's Ke.
    package let sessionKey: SecretBytes
    /// What the first side says to prove that it knows the secret: the RFC's cA.
    package let firstConfirmation: [UInt8]
    /// What the second side says: the RFC's cB.
    package let secondConfirmation: [UInt8]

    /// Of all that was said, and of what both alone know; the additional bytes, which both must see alike, go into the
    /// confirmations.
    package init(transcript: SecretBytes, additional: [UInt8]) throws(SecurityError) {
        let halves = try Self.halves(of: try Cryptography.digest(of: transcript))
        sessionKey = halves.0
        let keys = try Self.halves(
            of: try Cryptography.derive(
                from: halves.1, salt: [], purpose: Array("ConfirmationKeys".utf8) + additional))
        firstConfirmation = try Cryptography.authenticate(transcript, with: keys.0)
        secondConfirmation = try Cryptography.authenticate(transcript, with: keys.1)
    }

    private static func halves(of secret: SecretBytes) throws(SecurityError) -> (SecretBytes, SecretBytes) {
        try unsafe secret.withBytes { (bytes) throws(SecurityError) in
            let middle = bytes.count / 2
            return (
                try unsafe SecretBytes(copying: bytes[..<middle]),
                try unsafe SecretBytes(copying: bytes[middle...])
            )
        }
    }
}
