/// What a joiner and an inviter say to each other over `baton-pair/1`; nothing else exists there.
package enum PairingMessage: Equatable, Sendable {
    /// The joiner's first words: who it says it is, and its share of a key.
    case request(PairingRequest)
    /// The inviter's first words: the same of its own.
    case answer(PairingAnswer)
    /// The joiner proves that it knows the code.
    case confirmation(PairingConfirmation)
    /// The inviter proves it, too, once the joiner did.
    case welcome(PairingWelcome)
    /// All that makes the joiner a device of the account.
    case grant(PairingGrant)
    /// Either side goes no further; nothing follows.
    case refusal(PairingRefusal)
    /// The joiner's last words: what it was granted is on its disk.
    case joined
}

/// What a joiner says of itself.
package struct PairingRequest: Equatable, Sendable {
    /// The name that the person gave the joining machine.
    package var name: String
    /// Its share of the key: SPAKE2's first.
    package var share: [UInt8]
    /// The hash of bytes that the confirmation opens, so that nobody can choose what the compare phrase will be.
    package var commitment: [UInt8]

    package init(name: String, share: [UInt8], commitment: [UInt8]) {
        (self.name, self.share, self.commitment) = (name, share, commitment)
    }
}

/// What an inviter says of itself.
package struct PairingAnswer: Equatable, Sendable {
    /// The inviting device, which the new one then seeks.
    package var inviter: DeviceIdentifier
    /// The name that the person gave the inviting machine.
    package var inviterName: String
    /// What its clock says.
    package var time: WallTime
    /// Its share of the key: SPAKE2's second.
    package var share: [UInt8]

    package init(inviter: DeviceIdentifier, inviterName: String, time: WallTime, share: [UInt8]) {
        (self.inviter, self.inviterName) = (inviter, inviterName)
        (self.time, self.share) = (time, share)
    }
}

/// The joiner's proof that it knows the code.
package struct PairingConfirmation: Equatable, Sendable {
    /// SPAKE2's first confirmation.
    package var proof: [UInt8]
    /// The bytes whose hash the request held.
    package var opening: [UInt8]

    package init(proof: [UInt8], opening: [UInt8]) { (self.proof, self.opening) = (proof, opening) }
}

/// The inviter's proof that it knows the code.
package struct PairingWelcome: Equatable, Sendable {
    /// SPAKE2's second confirmation.
    package var proof: [UInt8]
    /// Whether the grant waits for the person at the inviter.
    package var asksPerson: Bool

    package init(proof: [UInt8], asksPerson: Bool) { (self.proof, self.asksPerson) = (proof, asksPerson) }
}

/// What makes a joiner a device of the account: certificates in DER.
package struct PairingGrant: Equatable, Sendable {
    package var root: [UInt8]
    package var owner: [UInt8]
    package var device: [UInt8]

    package init(root: [UInt8], owner: [UInt8], device: [UInt8]) {
        (self.root, self.owner, self.device) = (root, owner, device)
    }
}

/// Why a side of a pairing goes no further.
package enum PairingRefusal: UInt64, Equatable, Sendable, CaseIterable {
    /// The other side did not prove that it knows the code. The invitation is over.
    case wrongCode = 1
    /// The inviter could not make the certificate, or the joiner could not keep it; its log or its words say why.
    case failed = 2
    /// The invitation is over: its time has passed, or it had its one guess.
    case ended = 3
    /// The person at the inviter did not let the joiner in.
    case declined = 4
    /// The joiner's clock is too far from the inviter's.
    case clock = 5
}
