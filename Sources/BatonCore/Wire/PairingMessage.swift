/// A message of the protocol `baton-pair/1`, between a joiner and an inviter.
package enum PairingMessage: Equatable, Sendable {
    /// The joiner's first message, which contains its key share.
    case request(PairingRequest)
    /// The inviter's first message, which contains its key share.
    case answer(PairingAnswer)
    /// The joiner's proof that it knows the code.
    case confirmation(PairingConfirmation)
    /// The inviter's proof that it knows the code, and its identity.
    ///
    /// It is sent after the joiner's proof.
    case welcome(PairingWelcome)
    /// The joiner's identity.
    ///
    /// It is sent after the inviter has proved that it knows the code.
    case introduction(PairingIntroduction)
    /// The certificates that make the joiner a device of the account, and the account's content key.
    case grant(PairingGrant)
    /// Either side stops the pairing.
    ///
    /// No message follows.
    case refusal(PairingRefusal)
    /// The joiner's last message, which says that the joiner has stored the grant on its disk.
    case joined
}

/// A joiner's part of the key agreement.
///
/// The message does not identify the joiner.
package struct PairingRequest: Equatable, Sendable {
    /// The joiner's key share, which is the first share of SPAKE2.
    package var share: [UInt8]
    /// The hash of the bytes that the confirmation will reveal.
    ///
    /// Because of this commitment, neither side can choose the compare phrase.
    package var commitment: [UInt8]

    package init(share: [UInt8], commitment: [UInt8]) { (self.share, self.commitment) = (share, commitment) }
}

/// An inviter's part of the key agreement.
///
/// The message does not identify the inviter.
package struct PairingAnswer: Equatable, Sendable {
    /// The inviter's key share, which is the second share of SPAKE2.
    package var share: [UInt8]

    package init(share: [UInt8]) { self.share = share }
}

/// The joiner's proof that it knows the code.
package struct PairingConfirmation: Equatable, Sendable {
    /// The first confirmation of SPAKE2.
    package var proof: [UInt8]
    /// The bytes whose hash was in the request.
    package var opening: [UInt8]

    package init(proof: [UInt8], opening: [UInt8]) { (self.proof, self.opening) = (proof, opening) }
}

/// The inviter's proof that it knows the code, and its identity.
package struct PairingWelcome: Equatable, Sendable {
    /// The second confirmation of SPAKE2.
    package var proof: [UInt8]
    /// Whether the person at the inviting machine must agree before the grant is sent.
    package var asksPerson: Bool
    /// The inviting device.
    ///
    /// The new device connects to it after the pairing.
    package var inviter: DeviceIdentifier
    /// The name that the person gave the inviting machine.
    package var inviterName: String
    /// The time of the inviter's clock.
    package var time: WallTime

    package init(
        proof: [UInt8], asksPerson: Bool, inviter: DeviceIdentifier, inviterName: String, time: WallTime
    ) {
        (self.proof, self.asksPerson, self.inviter) = (proof, asksPerson, inviter)
        (self.inviterName, self.time) = (inviterName, time)
    }
}

/// The joiner's identity, which consists of its name.
package struct PairingIntroduction: Equatable, Sendable {
    /// The name that the person gave the joining machine.
    package var name: String

    package init(name: String) { self.name = name }
}

/// The certificates that make a joiner a device of the account, in DER, and the account's content key.
package struct PairingGrant: Equatable, Sendable {
    package var root: [UInt8]
    package var owner: [UInt8]
    package var device: [UInt8]
    /// The secret that seals the account's protected content.
    package var contentKey: [UInt8]

    package init(root: [UInt8], owner: [UInt8], device: [UInt8], contentKey: [UInt8]) {
        (self.root, self.owner, self.device) = (root, owner, device)
        self.contentKey = contentKey
    }
}

/// The reason why a side stops a pairing.
package enum PairingRefusal: UInt64, Equatable, Sendable, CaseIterable {
    /// The other side did not prove that it knows the code.
    ///
    /// The invitation has ended.
    case wrongCode = 1
    /// The inviter could not create the certificate, or the joiner could not store it.
    ///
    /// The reason is in the log or the output of that side.
    case failed = 2
    /// The invitation has ended: its time has passed, or its only guess was used.
    case ended = 3
    /// The person at the inviting machine did not admit the joiner.
    case declined = 4
    /// The clocks of the joiner and the inviter differ by too much.
    case clock = 5
    /// The joiner's key was revoked in this account.
    case joinerRevoked = 6
    /// The inviter or its owner key was revoked, so the inviter can't admit any device.
    case inviterRevoked = 7
}
