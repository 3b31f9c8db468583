/// One side of SPAKE2 (RFC 9382) with P-256, SHA-256, HKDF and HMAC.
///
/// Two sides that know the same password agree on a strong key. A side that does not know the password learns only
/// whether one guess was right.
package struct SPAKE2: Sendable {
    /// The two sides: the first is A in the RFC, and the second is B.
    package enum Side: Sendable { case first, second }

    /// The side that this value is.
    let side: Side
    /// The password as a scalar; `w` in the RFC.
    private let password: SecretBytes
    /// The random scalar of this side; `x` or `y` in the RFC.
    private let scalar: SecretBytes
    /// The share to send to the other side; it is not secret.
    package let share: [UInt8]

    /// Makes a side with a new random scalar.
    package init(_ side: Side, password: SecretBytes) throws(SecurityError) {
        try self.init(side, password: password, scalar: try P256().randomScalar())
    }

    /// Makes a side with a given scalar, for test vectors.
    package init(_ side: Side, password: SecretBytes, scalar: SecretBytes) throws(SecurityError) {
        (self.side, self.password, self.scalar) = (side, password, scalar)
        let curve = try P256()
        let mask = try curve.uncompressed(side == .first ? Self.firstMask : Self.secondMask)
        share = try curve.combination(scalar, plus: password, times: mask).copy()
    }

    /// Derives the scalar of a password from a secret.
    ///
    /// HKDF is used instead of a deliberately slow function. Nothing that is sent or stored allows an offline search,
    /// and only one online guess is possible. HKDF derives 48 bytes, so that the result modulo the order of the group
    /// is almost uniformly distributed.
    package static func password(
        from secret: SecretBytes, salt: String, purpose: String
    ) throws(SecurityError) -> SecretBytes {
        let long = try Cryptography.derive(from: secret, salt: salt, purpose: purpose, count: 48)
        return try P256().reduced(long)
    }

    /// Derives the values that both sides share if they know the same password.
    ///
    /// Each side must check the confirmation of the other side before it uses the values. Throws `.malformed` if the
    /// share has a wrong length, is not on the curve, or leads to the point at infinity.
    package func agree(
        withShare other: [UInt8], identities: (first: [UInt8], second: [UInt8]), additional: [UInt8]
    ) throws(SecurityError) -> SPAKE2Agreement {
        let curve = try P256()
        let mask = try curve.uncompressed(side == .first ? Self.secondMask : Self.firstMask)
        let point = try curve.remainder(of: other, minus: password, times: mask, multipliedBy: scalar)
        let shares = side == .first ? (share, other) : (other, share)

        var transcript: [UInt8] = []
        defer { wipe(&transcript) }
        // If the array grew, copies of the secrets would stay in freed memory.
        transcript.reserveCapacity(
            6 * 8 + identities.first.count + identities.second.count + 3 * P256.pointByteCount
                + P256.scalarByteCount)
        for part in [identities.first, identities.second, shares.0, shares.1] {
            Self.append(part, to: &transcript)
        }
        for part in [point, password] {
            unsafe part.withBytes { unsafe Self.append($0, to: &transcript) }
        }
        return try SPAKE2Agreement(
            transcript: try SecretBytes(copying: transcript), additional: additional)
    }

    /// Appends a part to the transcript, after its length in eight bytes, lowest byte first.
    private static func append(_ part: some Collection<UInt8>, to transcript: inout [UInt8]) {
        for shift in stride(from: 0, to: 64, by: 8) {
            transcript.append(UInt8(truncatingIfNeeded: part.count >> shift))
        }
        transcript.append(contentsOf: part)
    }

    /// The point M of the RFC for P-256; nobody knows its discrete logarithm.
    private static let firstMask: [UInt8] = [
        0x02, 0x88, 0x6e, 0x2f, 0x97, 0xac, 0xe4, 0x6e, 0x55, 0xba, 0x9d, 0xd7, 0x24, 0x25, 0x79, 0xf2, 0x99,
        0x3b, 0x64, 0xe1, 0x6e, 0xf3, 0xdc, 0xab, 0x95, 0xaf, 0xd4, 0x97, 0x33, 0x3d, 0x8f, 0xa1, 0x2f,
    ]

    /// The point N of the RFC for P-256.
    private static let secondMask: [UInt8] = [
        0x03, 0xd8, 0xbb, 0xd6, 0xc6, 0x39, 0xc6, 0x29, 0x37, 0xb0, 0x4d, 0x99, 0x7f, 0x38, 0xc3, 0x77, 0x07,
        0x19, 0xc6, 0x29, 0xd7, 0x01, 0x4d, 0x49, 0xa2, 0x4b, 0x4f, 0x98, 0xba, 0xa1, 0x29, 0x2b, 0x49,
    ]
}

/// The results of a SPAKE2 exchange, derived by the key schedule of RFC 9382, section 4.
package struct SPAKE2Agreement: Sendable {
    /// The session key; `Ke` in the RFC.
    package let sessionKey: SecretBytes
    /// The confirmation that the first side sends; `cA` in the RFC.
    package let firstConfirmation: [UInt8]
    /// The confirmation that the second side sends; `cB` in the RFC.
    package let secondConfirmation: [UInt8]

    /// Derives the results from the transcript; the additional bytes also influence the confirmations.
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
