import BatonCore
import BatonSecurity
import Foundation
import Support
import Testing

/// The published vectors of proofs and codes, reproduced by the product.
@Suite struct `Pairing vectors` {
    private static func vector(_ file: String) throws -> [String: Any] {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Vectors/\(file).json")
        let vectors = try JSONSerialization.jsonObject(with: try Data(contentsOf: path)) as? [[String: Any]]
        return try #require(vectors?.first)
    }

    @Test func `the published vector of a pairing is reproduced on both sides`() throws {
        let vector = try Self.vector("pairing-proofs")
        func text(_ name: String) throws -> String { try #require(vector[name] as? String) }
        func bytes(_ name: String) throws -> [UInt8] { [UInt8](hex: try text(name)) }
        let code = try PairingCode(text: try text("typed"))
        #expect(code.text == vector["code"] as? String)
        let password = try PairingProof.password(of: code)
        #expect(password.copy().hex == vector["password"] as? String)
        let opening = try bytes("opening")
        let request = PairingRequest(
            share: try bytes("joiner_share"),
            commitment: try PairingProof.commitment(to: opening))
        #expect(request.commitment.hex == vector["commitment"] as? String)
        let answer = PairingAnswer(share: try bytes("inviter_share"))
        let channel = PairingChannel(
            joiner: try PublicKey(der: try bytes("joiner_key")), exported: try bytes("channel"))
        for (side, name) in [(SPAKE2.Side.first, "joiner"), (.second, "inviter")] {
            let scalar = try SecretBytes(copying: try bytes("\(name)_scalar"))
            let spake = try SPAKE2(side, password: password, scalar: scalar)
            #expect(spake.share.hex == vector["\(name)_share"] as? String)
            let proof = try PairingProof(spake, request: request, answer: answer, channel: channel)
            #expect(proof.joinerProof.hex == vector["joiner_proof"] as? String)
            #expect(proof.inviterProof.hex == vector["inviter_proof"] as? String)
            #expect(try proof.phrase(opening: opening) == vector["phrase"] as? String)
        }
    }

    @Test func `the published vector of a recovery code is reproduced`() throws {
        let vector = try Self.vector("recovery-codes")
        let words = try #require(vector["words"] as? String)
        let seed = [UInt8](hex: try #require(vector["root_seed"] as? String))
        let key = try PrivateKey(ed25519Seed: try SecretBytes(copying: seed))
        let code = try RecoveryCode(text: words)
        #expect(try code.rootKey().publicKey == key.publicKey)
        #expect(try code.text() == words)
    }
}
