import BatonCore
import Support

extension Vector {
    static let pairingMessages = PairingMessage.samples.map { Vector($0, $1, $2.frame) }

    /// Proofs for one code on one channel, about the messages above.
    ///
    /// The tests of BatonSecurity make them again, and so does `Tests/Vectors/check`.
    static let pairingProofs: [Vector] = [
        Vector(
            "proofs", "What both sides of the pairing messages work out; each knows one of the two scalars.",
            [
                ("typed", .text(" LEMO tiger-Clou ")), ("code", .text("lemon-tiger-cloud")),
                ("password", .text(password)), ("channel", .text([UInt8](0..<32).hex)),
                ("joiner_key", .text(joinerKey)),
                ("joiner_scalar", .text([UInt8](1...32).hex)),
                ("inviter_scalar", .text([UInt8](33...64).hex)),
                ("opening", .text(PairingMessage.opening.hex)),
                ("commitment", .text(PairingMessage.commitment)),
                ("joiner_share", .text(PairingMessage.joinerShare)),
                ("inviter_share", .text(PairingMessage.inviterShare)),
                ("session_key", .text("a246bd1e80f03df529396dde52e97210")),
                ("joiner_proof", .text(PairingMessage.joinerProof)),
                ("inviter_proof", .text(PairingMessage.inviterProof)),
                ("phrase", .text("zinc-grocer-drama")),
            ])
    ]

    /// A recovery code and the values derived from it.
    static let recoveryCodes: [Vector] = [
        Vector(
            "recovery-code", "The words of a secret, and the Ed25519 seed of the root's key.",
            [
                ("secret", .text([UInt8](0..<16).hex)),
                (
                    "words",
                    .text(
                        "abacus accent ahead aunt crew mask input island "
                            + "aisle artist buffalo flavor saturn pretzel yacht basil")
                ),
                ("root_seed", .text("980d89a0d331b089b35f9fb5d23625f0a98ef126dbbb01c8949be87a0cc6280f")),
            ])
    ]

    private static let password = "f8e2e9d13a8ed1832cf4d8e42c286ad1e51d230114a1541402e980c0202bd6fe"

    /// A SubjectPublicKeyInfo with the generator of P-256, whose private key is known to everybody.
    private static let joinerKey =
        "3059301306072a8648ce3d020106082a8648ce3d030107034200"
        + "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
        + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
}

extension PairingMessage {
    fileprivate static let opening = [UInt8](64..<96)
    fileprivate static let commitment = "b7afc60a21954a4a8ecc72699217ade583d02f9114d830061cb30d88d5bde84a"
    fileprivate static let joinerShare =
        "04bea3ce0608b0e2caef6a8a852d9995fe518b940eb6f3ad590a948b48b4336c8fe33e13d3d2d5a1"
        + "dd74ec511f501fedccdf507bc743b77e1287353417e28c8255"
    fileprivate static let inviterShare =
        "04aba0592b1335ec2a1403132870bd131e821929feeee4e957892144f42ecbb9b171707c2d9cb458"
        + "c3aafa50392dfe06744bc2adaa9260a15f05e7a5295e203b34"
    fileprivate static let joinerProof = "b08dcbaa485d62f8caa915353ab3655e25ab44666f10462f77f370adaee2f0db"
    fileprivate static let inviterProof = "e5ae9b6b90ae8d0c5013280a94a98ccecb6e088b5a3998e92a05ccbc2a23075c"

    private static func welcome(asksPerson: Bool) -> PairingWelcome {
        PairingWelcome(
            proof: [UInt8](hex: inviterProof), asksPerson: asksPerson, inviter: Sample.laptop,
            inviterName: "laptop", time: Sample.noon)
    }

    static let samples: [(name: String, description: String, message: PairingMessage)] = [
        (
            "request", "The joiner's first words.",
            .request(
                PairingRequest(share: [UInt8](hex: joinerShare), commitment: [UInt8](hex: commitment)))
        ),
        (
            "answer", "The inviter's first words.",
            .answer(PairingAnswer(share: [UInt8](hex: inviterShare)))
        ),
        (
            "confirmation", "The joiner's proof.",
            .confirmation(PairingConfirmation(proof: [UInt8](hex: joinerProof), opening: opening))
        ),
        (
            "welcome", "The inviter's proof, and who it is; it lets in without asking.",
            .welcome(welcome(asksPerson: false))
        ),
        (
            "welcome-and-wait", "The same; the grant waits for the person there.",
            .welcome(welcome(asksPerson: true))
        ),
        (
            "introduction", "The joiner says who it is.",
            .introduction(PairingIntroduction(name: "desktop"))
        ),
        (
            "grant", "What makes the joiner a device; texts stand for certificates, and numbers for the key.",
            .grant(
                PairingGrant(
                    root: Array("root certificate".utf8), owner: Array("owner certificate".utf8),
                    device: Array("device certificate".utf8), contentKey: Array(100..<132)))
        ),
        ("refusal-wrong-code", "The proof was not of the code.", .refusal(.wrongCode)),
        ("refusal-failed", "The certificate could not be made, or not be kept.", .refusal(.failed)),
        ("refusal-ended", "The invitation is over.", .refusal(.ended)),
        ("refusal-declined", "The person at the inviter said no.", .refusal(.declined)),
        ("refusal-clock", "The joiner's clock is too far off.", .refusal(.clock)),
        ("refusal-joiner-revoked", "The joiner's key was revoked.", .refusal(.joinerRevoked)),
        ("refusal-inviter-revoked", "The inviter was revoked.", .refusal(.inviterRevoked)),
        ("joined", "The joiner's last words.", .joined),
    ]
}
