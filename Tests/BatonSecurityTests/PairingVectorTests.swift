import BatonCore
import BatonSecurity
import Foundation
import Support
import Testing

/// What the published vectors say of proofs, made by the product.
@Suite struct `The vectors of pairing` {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Vectors/pairing-proofs.json")

    @Test func `hold the proofs that a code gives`() throws {
        let vectors = try JSONDecoder().decode([[String: String]].self, from: try Data(contentsOf: Self.file))
        let vector = try #require(vectors.first)
        func text(_ name: String) throws -> String { try #require(vector[name]) }
        func bytes(_ name: String) throws -> [UInt8] { [UInt8](hex: try text(name)) }
        let (typed, inviterBytes) = (try text("typed"), try bytes("inviter"))
        let code = try #require(PairingCode(text: typed))
        let inviter = try #require(DeviceIdentifier(bytes: inviterBytes))
        #expect(code.text.filter { $0 != "-" } == vector["code"])
        let (secret, joiner) = (
            try PairingSecret(code: code, channel: try bytes("channel")),
            try PublicKey(der: try bytes("joiner_key"))
        )
        let request = try secret.requestProof(name: try text("joiner_name"), joiner: joiner)
        #expect(request.hex == vector["request_proof"])
        let grant = PairingGrant(
            root: try bytes("root"), owner: try bytes("owner"), device: try bytes("device"),
            inviter: inviter, inviterName: try text("inviter_name"), proof: [])
        let proof = try secret.grantProof(grant, joiner: joiner)
        #expect(proof.hex == vector["grant_proof"])
    }
}
