/// What a joiner and an inviter say to each other over `baton-pair/1`; nothing else exists there.
package enum PairingMessage: Equatable, Sendable {
    /// The joiner's first words: its share of a key.
    case request(PairingRequest)
    /// The inviter's first words: its share.
    case answer(PairingAnswer)
    /// The joiner proves that it knows the code.
    case confirmation(PairingConfirmation)
    /// The inviter proves it, too, once the joiner did, and says who it is.
    case welcome(PairingWelcome)
    /// The joiner says who it is, once the inviter has proved that it knows the code.
    case introduction(PairingIntroduction)
    /// All that makes the joiner a device of the account.
    case grant(PairingGrant)
    /// Either side goes no further; nothing follows.
    case refusal(PairingRefusal)
    /// The joiner's last words: what it was granted is on its disk.
    case joined
}

/// A joiner's part of the key agreement.
///
/// It says nothing of who the joiner is.
package struct PairingRequest: Equatable, Sendable {
    /// Its share of the key: SPAKE2's first.
    package var share: [UInt8]
    /// The hash of bytes that the confirmation opens, so that nobody can choose what the compare phrase will be.
    package var commitment: [UInt8]

    package init(share: [UInt8], commitment: [UInt8]) { (self.share, self.commitment) = (share, commitment) }
}

/// An inviter's part of the key agreement.
///
/// It says nothing of who the inviter is.
package struct PairingAnswer: Equatable, Sendable {
    /// Its share of the key: SPAKE2's second.
    package var share: [UInt8]

    package init(share: [UInt8]) { self.share = share }
}

/// The joiner's proof that it knows the code.
package struct PairingConfirmation: Equatable, Sendable {
    /// SPAKE2's first confirmation.
    package var proof: [UInt8]
    /// The bytes whose hash the request held.
    package var opening: [UInt8]

    package init(proof: [UInt8], opening: [UInt8]) { (self.proof, self.opening) = (proof, opening) }
}

/// The inviter's proof that it knows the code, and who it is.
package struct PairingWelcome: Equatable, Sendable {
    /// SPAKE2's second confirmation.
    package var proof: [UInt8]
    /// Whether the grant waits for the person at the inviter.
    package var asksPerson: Bool
    /// The inviting device, which the new one then seeks.
    package var inviter: DeviceIdentifier
    /// The name that the person gave the inviting machine.
    package var inviterName: String
    /// The time that the inviter's clock shows.
    package var time: WallTime

    package init(
        proof: [UInt8], asksPerson: Bool, inviter: DeviceIdentifier, inviterName: String, time: WallTime
    ) {
        (self.proof, self.asksPerson, self.inviter) = (proof, asksPerson, inviter)
        (self.inviterName, self.time) = (inviterName, time)
    }
}

/// The joiner's introduction.
package struct PairingIntroduction: Equatable, Sendable {
    /// The name that the person gave the joining machine.
    package var name: String

    package init(name: String) { self.name = name }
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
    /// The joiner's key was revoked in the account.
    case joinerRevoked = 6
    /// The inviter was revoked, or its owner key, so that it can let nobody in.
    case inviterRevoked = 7
}
