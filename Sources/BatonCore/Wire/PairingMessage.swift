/// A message between a joiner and an inviter over `baton-pair/1`, which has no other messages.
package enum PairingMessage: Equatable, Sendable {
    /// The joiner's first message: its key share.
    case request(PairingRequest)
    /// The inviter's first message: its key share.
    case answer(PairingAnswer)
    /// The joiner proves that it knows the code.
    case confirmation(PairingConfirmation)
    /// The inviter proves that it knows the code, too, after the joiner has, and identifies itself.
    case welcome(PairingWelcome)
    /// The joiner identifies itself, after the inviter has proved that it knows the code.
    case introduction(PairingIntroduction)
    /// Everything that makes the joiner a device of the account.
    case grant(PairingGrant)
    /// Either side stops the pairing; nothing follows.
    case refusal(PairingRefusal)
    /// The joiner's last message: the grant is on its disk.
    case joined
}

/// A joiner's part of the key agreement.
///
/// It does not identify the joiner.
package struct PairingRequest: Equatable, Sendable {
    /// The joiner's key share: SPAKE2's first.
    package var share: [UInt8]
    /// Commits to the bytes that the confirmation reveals, by their hash: neither side can choose the compare phrase.
    package var commitment: [UInt8]

    package init(share: [UInt8], commitment: [UInt8]) { (self.share, self.commitment) = (share, commitment) }
}

/// An inviter's part of the key agreement.
///
/// It does not identify the inviter.
package struct PairingAnswer: Equatable, Sendable {
    /// The inviter's key share: SPAKE2's second.
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

/// The inviter's proof that it knows the code, and its identity.
package struct PairingWelcome: Equatable, Sendable {
    /// SPAKE2's second confirmation.
    package var proof: [UInt8]
    /// Whether the grant waits for the person at the inviter.
    package var asksPerson: Bool
    /// The inviting device, which the new device then connects to.
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

/// The certificates, in DER, that make a joiner a device of the account.
package struct PairingGrant: Equatable, Sendable {
    package var root: [UInt8]
    package var owner: [UInt8]
    package var device: [UInt8]

    package init(root: [UInt8], owner: [UInt8], device: [UInt8]) {
        (self.root, self.owner, self.device) = (root, owner, device)
    }
}

/// The reason why a side stops a pairing.
package enum PairingRefusal: UInt64, Equatable, Sendable, CaseIterable {
    /// The other side did not prove that it knows the code. The invitation is over.
    case wrongCode = 1
    /// The inviter could not make the certificate, or the joiner could not store it; its log or its output has the
    /// reason.
    case failed = 2
    /// The invitation is over: its time has passed, or its only guess was used.
    case ended = 3
    /// The person at the inviter did not let the joiner in.
    case declined = 4
    /// The joiner's clock is too far from the inviter's.
    case clock = 5
    /// The joiner's key was revoked in the account.
    case joinerRevoked = 6
    /// The inviter or its owner key was revoked, so it can admit nobody.
    case inviterRevoked = 7
}
