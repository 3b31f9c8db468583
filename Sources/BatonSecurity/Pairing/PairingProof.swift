package import BatonCore

/// The proofs by which the two sides of a channel show each other that they know the same code.
///
/// Both sides agree on a key by `SPAKE2`. The key depends on the channel, so a machine in the middle can't pass the
/// proofs on. The key also depends on all earlier messages, so nobody can change them. Later messages on the same
/// channel need no proof of their own. This is why both sides tell their names only after the proofs.
package struct PairingProof: Sendable {
    /// The proof that the joiner sends.
    package let joinerProof: [UInt8]
    /// The proof that the inviter sends.
    package let inviterProof: [UInt8]
    private let sessionKey: SecretBytes
    private let context: [UInt8]
    private let commitment: [UInt8]

    /// The label that keeps the values derived here different from all other derived values.
    private static let label = "baton-pair/1"

    /// Makes one side of the key agreement for this code; the joiner is the first side.
    package static func side(_ side: SPAKE2.Side, code: PairingCode) throws(SecurityError) -> SPAKE2 {
        try SPAKE2(side, password: try password(of: code))
    }

    /// Returns the password that SPAKE2 uses for the code.
    package static func password(of code: PairingCode) throws(SecurityError) -> SecretBytes {
        try SPAKE2.password(from: code.secret, salt: label, purpose: "code")
    }

    /// Calculates both proofs from the request and the answer on a channel; throws `.malformed` for an invalid share.
    package init(
        _ side: SPAKE2, request: PairingRequest, answer: PairingAnswer, channel: PairingChannel
    ) throws(SecurityError) {
        commitment = request.commitment
        context = try Cryptography.digest(ofFields: [
            Array(Self.label.utf8), channel.exported, request.commitment,
        ])
        let other = side.side == .first ? answer.share : request.share
        let agreement = try side.agree(
            withShare: other, identities: (channel.joiner.der, []), additional: context)
        (joinerProof, inviterProof) = (agreement.firstConfirmation, agreement.secondConfirmation)
        sessionKey = agreement.sessionKey
    }

    /// Returns the commitment that the joiner makes to these bytes.
    package static func commitment(to opening: [UInt8]) throws(SecurityError) -> [UInt8] {
        try Cryptography.digest(ofFields: [Array("\(label) opening".utf8), opening])
    }

    /// Whether the joiner's proof is right, and the opening matches the joiner's commitment.
    package func accepts(_ confirmation: PairingConfirmation) throws(SecurityError) -> Bool {
        let isProven = Cryptography.areEqual(confirmation.proof, joinerProof)
        let isOpened = Cryptography.areEqual(
            try Self.commitment(to: confirmation.opening), commitment)
        return isProven && isOpened
    }

    /// Whether the inviter's proof is right.
    package func accepts(_ welcome: PairingWelcome) -> Bool {
        Cryptography.areEqual(welcome.proof, inviterProof)
    }

    /// Returns three words that both sides show.
    ///
    /// If a machine in the middle knows the code, the two sides show different words. Such an attacker can't choose its
    /// shares to make the words match. On each of its two channels, the honest side adds a new random value after the
    /// attacker has committed to its own: the joiner adds its opening, and the inviter its share.
    package func phrase(opening: [UInt8]) throws(SecurityError) -> String {
        let bits = try Cryptography.derive(
            from: sessionKey, salt: opening, purpose: Array("\(Self.label) compare".utf8) + context, count: 4)
        return Words.phrase(Words.numbers(of: bits.copy()).prefix(3))
    }
}

/// One connection of a pairing, identified by a value that only its two ends know.
package struct PairingChannel: Hashable, Sendable {
    /// The label that is passed to the TLS exporter.
    package static let exporterLabel = "EXPORTER-baton-pair-1"
    /// The number of exported bytes.
    package static let exportedByteCount = 32

    /// The public key that the joiner used in the handshake.
    package let joiner: PublicKey
    /// The value of the TLS exporter, which is different for each connection.
    ///
    /// So it is also different for the two connections of a machine in the middle.
    package let exported: [UInt8]

    /// Makes a channel from the joiner's key and the value of the TLS exporter.
    package init(joiner: PublicKey, exported: [UInt8]) {
        precondition(exported.count == Self.exportedByteCount, "the exported value has a fixed length")
        (self.joiner, self.exported) = (joiner, exported)
    }
}
