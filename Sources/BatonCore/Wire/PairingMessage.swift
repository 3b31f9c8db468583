/// What a joiner and an inviter say to each other over `baton-pair/1`; nothing else exists there.
package enum PairingMessage: Equatable, Sendable {
    /// The joiner's first words: who it is, and proof that it knows the code.
    case request(PairingRequest)
    /// The inviter's answer to a right proof: all that makes the joiner a device of the account.
    case grant(PairingGrant)
    /// The inviter's answer to anything else; nothing follows.
    case refusal(PairingRefusal)
    /// The joiner's last words: what it was granted is on its disk.
    case joined
}

/// What a joiner says of itself.
package struct PairingRequest: Equatable, Sendable {
    /// The name that the person gave the joining machine.
    package var name: String
    /// Proves knowledge of the code on this very channel; see `PairingSecret`.
    package var proof: [UInt8]

    package init(name: String, proof: [UInt8]) { (self.name, self.proof) = (name, proof) }
}

/// What makes a joiner a device of the account.
///
/// Certificates are in DER.
package struct PairingGrant: Equatable, Sendable {
    package var root: [UInt8]
    package var owner: [UInt8]
    package var device: [UInt8]
    /// The inviting device, which the new one then seeks.
    package var inviter: DeviceIdentifier
    /// The name that the person gave the inviting machine.
    package var inviterName: String
    /// Proves that the inviter knows the code too, and covers all the rest.
    package var proof: [UInt8]

    package init(
        root: [UInt8], owner: [UInt8], device: [UInt8], inviter: DeviceIdentifier, inviterName: String,
        proof: [UInt8]
    ) {
        (self.root, self.owner, self.device) = (root, owner, device)
        (self.inviter, self.inviterName, self.proof) = (inviter, inviterName, proof)
    }
}

/// Why an inviter sends a joiner away.
package enum PairingRefusal: UInt64, Equatable, Sendable {
    /// The code was not the one that the inviter shows. The invitation is over.
    case wrongCode = 1
    /// The inviter could not make or keep the certificate; its log says why.
    case failed = 2
    /// The invitation is over: its time has passed, or it had its one guess.
    case ended = 3
}
