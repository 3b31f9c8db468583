package import BatonCore

/// What knowing the code lets two sides prove to each other on one channel; the only part of pairing that knows how.
///
/// Both agree on a key by `SPAKE2`, over the channel (so that nobody in between can pass it on) and over all that was
/// said before (so that nobody can change it). Messages on the same channel need no further proof, so both sides say
/// who they are only then.
package struct PairingProof: Sendable {
    /// What the joiner says to prove that it knows the code.
    package let joinerProof: [UInt8]
    /// What the inviter says.
    package let inviterProof: [UInt8]
    private let sessionKey: SecretBytes
    private let context: [UInt8]
    private let commitment: [UInt8]

    /// The label that tells all that is derived here from anything else.
    private static let label = "baton-pair/1"

    /// A side of the key agreement for this code; the joiner's is the first.
    package static func side(_ side: SPAKE2.Side, code: PairingCode) throws(SecurityError) -> SPAKE2 {
        try SPAKE2(side, password: try password(of: code))
    }

    /// The code as SPAKE2 takes it.
    package static func password(of code: PairingCode) throws(SecurityError) -> SecretBytes {
        try SPAKE2.password(from: code.secret, salt: label, purpose: "code")
    }

    /// The proof that follows from these two messages on that channel; throws `.malformed` for a share that is none.
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

    /// What a joiner commits to by these bytes.
    package static func commitment(to opening: [UInt8]) throws(SecurityError) -> [UInt8] {
        try Cryptography.digest(ofFields: [Array("\(label) opening".utf8), opening])
    }

    /// Whether the joiner proved that it knows the code, and opened what it had committed to.
    package func accepts(_ confirmation: PairingConfirmation) throws(SecurityError) -> Bool {
        let isProven = Cryptography.areEqual(confirmation.proof, joinerProof)
        let isOpened = Cryptography.areEqual(
            try Self.commitment(to: confirmation.opening), commitment)
        return isProven && isOpened
    }

    /// Whether the inviter proved that it knows the code.
    package func accepts(_ welcome: PairingWelcome) -> Bool {
        Cryptography.areEqual(welcome.proof, inviterProof)
    }

    /// Three words that both sides show, and that differ where someone who knows the code is in between.
    ///
    /// He can't choose his shares so that they come out alike: on each of his two channels the honest side says
    /// something new (the opening here, the inviter's share there) after he has said all that he can.
    package func phrase(opening: [UInt8]) throws(SecurityError) -> String {
        let bits = try Cryptography.derive(
            from: sessionKey, salt: opening, purpose: Array("\(Self.label) compare".utf8) + context, count: 4)
        return Words.phrase(Words.numbers(of: bits.copy()).prefix(3))
    }
}

/// One connection over which a pairing goes, as both of its ends know it and nobody else does.
package struct PairingChannel: Hashable, Sendable {
    /// The label under which both sides export the channel's value from TLS.
    package static let exporterLabel = "EXPORTER-baton-pair-1"
    /// How many bytes of it there are.
    package static let exportedByteCount = 32

    /// The key with which the joiner made the handshake.
    package let joiner: PublicKey
    /// What TLS exports: another value for each connection, and at both ends of someone in between.
    package let exported: [UInt8]

    /// The connection of this joiner with this exported value.
    package init(joiner: PublicKey, exported: [UInt8]) {
        precondition(exported.count == Self.exportedByteCount, "A channel's value has a fixed length.")
        (self.joiner, self.exported) = (joiner, exported)
    }
}
