package import BatonCore

/// An invitation: it lets one joiner into the account, if the first guess at its code is right and in time.
///
/// ```
///        right request in time            joined
///  open ───────────────────────▶ granted ────────▶ ended
///    │         any other request, expiry             ▲
///    └───────────────────────────────────────────────┘
/// ```
///
/// One invitation hears all connections that speak `baton-pair/1`. `handle…` feeds what they say, and answers with
/// an instruction; `isOpen` is what a `TLSContext` asks. Time is in seconds since 1970.
package struct PairingInviter: ~Copyable {

    /// How far the invitation is, with what it needs there.
    private enum State {
        /// Nobody has guessed.
        case open(Invitation)
        /// A joiner was given a certificate, and has not said that it kept it.
        case granted(Admission)
        /// Nothing happens any more.
        case ended
    }

    /// What an open invitation holds.
    private struct Invitation {
        let code: PairingCode, expiry: Int64, owner: OwnerAuthority, device: DeviceIdentifier, name: String
    }

    /// Who was let in.
    package struct Admission: Equatable, Sendable {
        /// The key to which the certificate was given.
        package let joiner: PublicKey
        /// The certificate, which the roster must learn of.
        package let certificate: Certificate

        /// A joiner with this key was given this certificate.
        package init(joiner: PublicKey, certificate: Certificate) {
            (self.joiner, self.certificate) = (joiner, certificate)
        }
    }

    private var state: State

    /// An invitation into the owner's account, by that device.
    package init(
        code: PairingCode, expiry: Int64, owner: OwnerAuthority, inviter: DeviceIdentifier,
        inviterName: String
    ) {
        state = .open(
            Invitation(code: code, expiry: expiry, owner: owner, device: inviter, name: inviterName))
    }

    /// What to do when a joiner has said something.
    package enum MessageAction: Equatable {
        /// Send this grant, and keep the connection; the admission is made, whether or not it arrives.
        case grant(PairingGrant, Admission)
        /// Send this refusal, and close the connection.
        case refuse(PairingRefusal)
        /// The joiner is a device of the account now; close the connection.
        case finish(Admission)
        /// Close the connection without a word: what was said made no sense there.
        case close
    }

    /// Hears a message from the joiner with this key, over the channel with this exported value.
    package mutating func handle(
        _ message: PairingMessage, from joiner: PublicKey, channel: [UInt8], now: Int64
    ) -> MessageAction {
        switch message {
        case .request(let request): handleRequest(request, from: joiner, channel: channel, now: now)
        case .joined: handleJoined(from: joiner)
        case .grant, .refusal: .close
        }
    }

    private mutating func handleRequest(
        _ request: PairingRequest, from joiner: PublicKey, channel: [UInt8], now: Int64
    ) -> MessageAction {
        switch state {
        case .open(let invitation):
            // Whatever comes of it, there is no second guess.
            state = .ended
            guard now < invitation.expiry else { return .refuse(.ended) }
            do {
                let secret = try PairingSecret(code: invitation.code, channel: channel)
                guard try secret.accepts(request, of: joiner) else { return .refuse(.wrongCode) }
                let action = try Self.grant(to: joiner, request, invitation, secret, now: now)
                if case .grant(_, let admission) = action { state = .granted(admission) }
                return action
            } catch {
                return .refuse(.failed)
            }
        case .granted, .ended:
            return .refuse(.ended)
        }
    }

    private static func grant(
        to joiner: PublicKey, _ request: PairingRequest, _ invitation: Invitation, _ secret: PairingSecret,
        now: Int64
    ) throws(SecurityError) -> MessageAction {
        let owner = invitation.owner
        let certificate = try owner.certify(joiner, name: request.name, now: now)
        var grant = PairingGrant(
            root: owner.root.der, owner: owner.certificate.der, device: certificate.der,
            inviter: invitation.device, inviterName: invitation.name, proof: [])
        grant.proof = try secret.grantProof(grant, joiner: joiner)
        return .grant(grant, Admission(joiner: joiner, certificate: certificate))
    }

    private mutating func handleJoined(from joiner: PublicKey) -> MessageAction {
        switch state {
        case .granted(let admission):
            guard admission.joiner == joiner else { return .close }
            state = .ended
            return .finish(admission)
        case .open, .ended:
            return .close
        }
    }

    /// Ends the invitation, because the person took it back.
    package mutating func cancel() { state = .ended }

    /// Whether a guess would be heard at that time.
    package func isOpen(now: Int64) -> Bool {
        if case .open(let invitation) = state { now < invitation.expiry } else { false }
    }

    /// Whether nothing will happen any more, so that the invitation can be let go.
    package func isOver(now: Int64) -> Bool {
        switch state {
        case .open(let invitation): now >= invitation.expiry
        case .granted: false
        case .ended: true
        }
    }
}
