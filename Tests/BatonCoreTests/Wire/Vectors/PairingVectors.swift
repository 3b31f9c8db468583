import BatonCore
import Support

extension Vector {
    static let pairingMessages = PairingMessage.samples.map { Vector($0, $1, $2.frame) }

    /// Proofs for one code on one channel, about the messages above.
    ///
    /// The tests of BatonSecurity make them again, and so does `Tests/Vectors/check`.
    static let pairingProofs: [Vector] = [
        Vector(
            "proofs", "The proofs of the request and the grant among the pairing messages.",
            [
                ("typed", .text(" ABO1-efgL-jkmo ")), ("code", .text("ab01efg1jkm0")),
                ("channel", .text([UInt8](0..<32).hex)),
                ("joiner_key", .text(joinerKey)), ("joiner_name", .text("desktop")),
                ("root", .text(PairingMessage.sampleGrant.root.hex)),
                ("owner", .text(PairingMessage.sampleGrant.owner.hex)),
                ("device", .text(PairingMessage.sampleGrant.device.hex)),
                ("inviter", .text(Sample.laptop.bytes.hex)), ("inviter_name", .text("laptop")),
                ("proof_key", .text("fd947886349eb35ab6225d122b4393c8f3e04ce4012d511fa8a244ea93344d18")),
                ("request_proof", .text(PairingMessage.requestProof)),
                ("grant_proof", .text(PairingMessage.grantProof)),
            ])
    ]

    /// A SubjectPublicKeyInfo with the generator of P-256, whose private key everybody knows.
    private static let joinerKey =
        "3059301306072a8648ce3d020106082a8648ce3d030107034200"
        + "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
        + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
}

extension PairingMessage {
    fileprivate static let requestProof = "3e228dbed47aea5443c135d7fc5729ffefaf6a390b4f300efd9c0f6fde801495"
    fileprivate static let grantProof = "b609f0241ca0cb024e8b71842a0162c9ba527f9c66c4586dc5c0f8af6f0c4763"

    /// A grant with texts in the place of certificates.
    fileprivate static let sampleGrant = PairingGrant(
        root: Array("root certificate".utf8), owner: Array("owner certificate".utf8),
        device: Array("device certificate".utf8), inviter: Sample.laptop, inviterName: "laptop",
        proof: [UInt8](hex: grantProof))

    static let samples: [(name: String, description: String, message: PairingMessage)] = [
        (
            "request", "The joiner's first words.",
            .request(PairingRequest(name: "desktop", proof: [UInt8](hex: requestProof)))
        ),
        ("grant", "The inviter's answer; texts stand for the certificates.", .grant(sampleGrant)),
        ("refusal-wrong-code", "The proof was not of the code.", .refusal(.wrongCode)),
        ("refusal-failed", "The inviter could not make the certificate.", .refusal(.failed)),
        ("refusal-ended", "The invitation is over.", .refusal(.ended)),
        ("joined", "The joiner's last words.", .joined),
    ]
}
