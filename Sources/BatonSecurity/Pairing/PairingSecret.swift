package import BatonCore

/// What knowing the code lets one prove on one channel; the only part of pairing that knows how it is proven.
///
/// A proof is an HMAC-SHA256 under a key derived from the code, over the prover's role, the channel (so that nobody
/// in between can pass it on) and the content (so that nobody can change it).
package struct PairingSecret: Sendable {
    /// The label under which both sides export the channel's value from TLS.
    package static let exporterLabel = "EXPORTER-baton-pair-1"
    /// How many bytes of it there are.
    package static let channelByteCount = 32

    private let key: SecretBytes
    private let channel: [UInt8]

    /// The secret of this code on the channel that exported this value.
    package init(code: PairingCode, channel: [UInt8]) throws(SecurityError) {
        precondition(channel.count == Self.channelByteCount, "A channel's value has a fixed length.")
        let code = try SecretBytes(copying: code.characters.utf8)
        key = try Cryptography.derive(from: code, salt: "baton-pair/1", purpose: "proof")
        self.channel = channel
    }

    /// The joiner's proof, about its name and its key.
    package func requestProof(name: String, joiner: PublicKey) throws(SecurityError) -> [UInt8] {
        try proof(role: "joiner", content: [Array(name.utf8), joiner.der])
    }

    /// Whether a joiner that holds this key proved that it knows the code.
    package func accepts(_ request: PairingRequest, of joiner: PublicKey) throws(SecurityError) -> Bool {
        Cryptography.areEqual(request.proof, try requestProof(name: request.name, joiner: joiner))
    }

    /// The inviter's proof, about the joiner's key and all that the grant says.
    package func grantProof(_ grant: PairingGrant, joiner: PublicKey) throws(SecurityError) -> [UInt8] {
        let name = Array(grant.inviterName.utf8)
        return try proof(
            role: "inviter",
            content: [joiner.der, grant.root, grant.owner, grant.device, grant.inviter.bytes, name])
    }

    /// Whether an inviter proved that it knows the code, and that it said what is in the grant.
    package func accepts(_ grant: PairingGrant, joiner: PublicKey) throws(SecurityError) -> Bool {
        Cryptography.areEqual(grant.proof, try grantProof(grant, joiner: joiner))
    }

    private func proof(role: String, content: [[UInt8]]) throws(SecurityError) -> [UInt8] {
        let hash = try Cryptography.digest(ofFields: content)
        let label = Array("baton-pair/1 \(role)".utf8)
        return try Cryptography.authenticate(
            try Cryptography.digest(ofFields: [label, channel, hash]), with: key)
    }
}
