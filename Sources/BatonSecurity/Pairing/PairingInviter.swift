package import BatonCore

/// An invitation: it lets one joiner into the account, if the first guess at its code is right and in time.
///
/// ```
///        request          right proof          introduction        consent          joined
///  open ────────▶ answered ─────────▶ confirmed ───────────▶ proven ──────▶ granted ────────▶ ended
///    └───────────────┴────────────────────┴─────────────────────┴──────────────┴─ anything else ─▶
/// ```
///
/// The first request takes the one guess, whatever comes of it, and from then on nobody else is heard. The joiner proves
/// first that it knows the code, so that whoever does not learns nothing here, not even who invites. One invitation
/// hears all connections that speak `baton-pair/1`. The roster is asked as soon as the joiner has proved that it knows
/// the code, again before it is granted anything, and again before it counts as joined. Time is in seconds since 1970.
package struct PairingInviter: ~Copyable {
    /// How far the invitation is, with what it needs there.
    private enum State {
        /// Nobody has guessed.
        case open(Invitation)
        /// Somebody asked, and was answered.
        case answered(Invitation, PairingProof, PairingChannel)
        /// A joiner has proved that it knows the code, and has yet to say who it is.
        case confirmed(Invitation, phrase: String, PairingChannel)
        /// A joiner has proved that it knows the code and said who it is, and waits.
        case proven(Invitation, PairingApplicant, PairingChannel)
        /// A joiner was given a certificate, and has not said that it kept it.
        case granted(PairingAdmission, PairingChannel)
        /// Nothing happens any more.
        case ended
    }

    /// What an invitation holds while it lasts.
    private struct Invitation {
        let code: PairingCode, expiry: Int64, owner: OwnerAuthority
        let device: DeviceIdentifier, name: String, asksPerson: Bool
    }

    private var state: State
    private let refusal: (DeviceIdentifier) -> PairingRefusal?

    /// An invitation into the owner's account, by that device; `asksPerson` is told to the joiner.
    ///
    /// `refusal` asks the roster why this device may not let that joiner in, if it may not.
    package init(
        code: PairingCode, expiry: Int64, owner: OwnerAuthority, inviter: DeviceIdentifier,
        inviterName: String, asksPerson: Bool = false,
        refusal: @escaping (DeviceIdentifier) -> PairingRefusal?
    ) {
        self.refusal = refusal
        state = .open(
            Invitation(
                code: code, expiry: expiry, owner: owner, device: inviter,
                name: DisplayName.sanitised(inviterName), asksPerson: asksPerson))
    }

    /// What to do when a joiner has said something.
    package enum MessageAction: Equatable {
        /// Send this, and keep the connection.
        case send(PairingMessage)
        /// The joiner said who it is: tell the person, and then `admit` or `end`.
        case meet(PairingApplicant)
        /// Send this refusal, and close the connection; the invitation is over, unless it is another's.
        case refuse(PairingRefusal, isOver: Bool)
        /// The joiner is a device of the account now; close the connection.
        case finish(PairingAdmission)
        /// The joiner goes no further, and says why; close the connection. The invitation is over.
        case giveUp(PairingRefusal)
        /// Close the connection without a word: what was said made no sense there.
        case close
    }

    /// Hears a message over a channel.
    package mutating func handle(
        _ message: PairingMessage, over channel: PairingChannel, now: Int64
    ) -> MessageAction {
        switch message {
        case .request(let request): handle(request, over: channel, now: now)
        case .confirmation(let confirmation): handle(confirmation, over: channel, now: now)
        case .introduction(let introduction): handle(introduction, over: channel, now: now)
        case .joined: handleJoined(over: channel)
        case .refusal(let refusal): handle(refusal, over: channel)
        case .answer, .welcome, .grant: .close
        }
    }

    private mutating func handle(
        _ request: PairingRequest, over channel: PairingChannel, now: Int64
    ) -> MessageAction {
        guard case .open(let invitation) = state else { return .refuse(.ended, isOver: false) }
        // Whatever comes of it, there is no second guess.
        state = .ended
        guard now < invitation.expiry else { return .refuse(.ended, isOver: true) }
        do {
            let side = try PairingProof.side(.second, code: invitation.code)
            let answer = PairingAnswer(share: side.share)
            let proof = try PairingProof(side, request: request, answer: answer, channel: channel)
            state = .answered(invitation, proof, channel)
            return .send(.answer(answer))
        } catch {
            return .refuse(error.code == .malformed ? .wrongCode : .failed, isOver: true)
        }
    }

    private mutating func handle(
        _ confirmation: PairingConfirmation, over channel: PairingChannel, now: Int64
    ) -> MessageAction {
        guard case .answered(let invitation, let proof, channel) = state else { return .close }
        state = .ended
        guard now < invitation.expiry else { return .refuse(.ended, isOver: true) }
        do {
            guard try proof.accepts(confirmation) else { return .refuse(.wrongCode, isOver: true) }
            if let refusal = refusal(channel.joiner.device) { return .refuse(refusal, isOver: true) }
            state = .confirmed(
                invitation, phrase: try proof.phrase(opening: confirmation.opening), channel)
            let welcome = PairingWelcome(
                proof: proof.inviterProof, asksPerson: invitation.asksPerson, inviter: invitation.device,
                inviterName: invitation.name, time: WallTime(milliseconds: now * 1000))
            return .send(.welcome(welcome))
        } catch {
            return .refuse(.failed, isOver: true)
        }
    }

    private mutating func handle(
        _ introduction: PairingIntroduction, over channel: PairingChannel, now: Int64
    ) -> MessageAction {
        guard case .confirmed(let invitation, let phrase, channel) = state else { return .close }
        state = .ended
        guard now < invitation.expiry else { return .refuse(.ended, isOver: true) }
        let applicant = PairingApplicant(name: DisplayName.sanitised(introduction.name), phrase: phrase)
        state = .proven(invitation, applicant, channel)
        return .meet(applicant)
    }

    private mutating func handleJoined(over channel: PairingChannel) -> MessageAction {
        guard case .granted(let admission, channel) = state else { return .close }
        state = .ended
        if let refusal = refusal(channel.joiner.device) { return .refuse(refusal, isOver: true) }
        return .finish(admission)
    }

    private mutating func handle(_ refusal: PairingRefusal, over channel: PairingChannel) -> MessageAction {
        switch state {
        case .answered(_, _, channel), .confirmed(_, _, channel), .proven(_, _, channel),
            .granted(_, channel):
            state = .ended
            return .giveUp(refusal)
        case .open, .answered, .confirmed, .proven, .granted, .ended: return .close
        }
    }

    // MARK: The person

    /// What comes of letting the joiner in.
    package enum AdmitAction: Equatable {
        /// Send this; the admission is made, whether or not it arrives.
        case grant(PairingMessage, PairingAdmission)
        /// Send this refusal, and close the connection; the invitation is over.
        case refuse(PairingRefusal)
    }

    /// Lets the joiner in that has proved that it knows the code; nothing if there is none.
    package mutating func admit(now: Int64) -> AdmitAction? {
        guard case .proven(let invitation, let applicant, let channel) = state else { return nil }
        state = .ended
        guard now < invitation.expiry else { return .refuse(.ended) }
        if let refusal = refusal(channel.joiner.device) { return .refuse(refusal) }
        do {
            let owner = invitation.owner
            let certificate = try owner.certify(channel.joiner, name: applicant.name, now: now)
            let grant = PairingGrant(
                root: owner.root.der, owner: owner.certificate.der, device: certificate.der)
            let admission = PairingAdmission(joiner: channel.joiner, certificate: certificate)
            state = .granted(admission, channel)
            return .grant(.grant(grant), admission)
        } catch {
            return .refuse(.failed)
        }
    }

    /// Ends the invitation, because the person or the time says so; answers with the refusal for who is waiting.
    package mutating func end(because refusal: PairingRefusal) -> PairingRefusal? {
        defer { state = .ended }
        switch state {
        case .answered, .confirmed, .proven: return refusal
        // Who was granted something may have kept it; to be told otherwise would be a lie.
        case .open, .granted, .ended: return nil
        }
    }

    /// How far a joiner was whose connection is gone.
    package enum Loss: Equatable, Sendable {
        /// It had not proved that it knows the code, or not said who it is.
        case unproven
        /// It had, but had been granted nothing.
        case proven(PairingApplicant)
        /// It was granted what makes it a device, and may have kept it.
        case granted(PairingAdmission)
    }

    /// Learns that a connection is gone; if it was the one that counts, the invitation is over.
    package mutating func handleLoss(of channel: PairingChannel) -> Loss? {
        switch state {
        case .answered(_, _, channel), .confirmed(_, _, channel):
            state = .ended
            return .unproven
        case .proven(_, let applicant, channel):
            state = .ended
            return .proven(applicant)
        case .granted(let admission, channel):
            state = .ended
            return .granted(admission)
        case .open, .answered, .confirmed, .proven, .granted, .ended: return nil
        }
    }

    // MARK: Queries

    /// Whether a guess would be heard at that time.
    package func isOpen(now: Int64) -> Bool {
        if case .open(let invitation) = state { now < invitation.expiry } else { false }
    }

    /// Who was granted a certificate, and has not said that it kept it.
    package var granted: PairingAdmission? {
        if case .granted(let admission, _) = state { admission } else { nil }
    }

    /// Whether nothing will happen any more, so that the invitation can be let go.
    package func isOver(now: Int64) -> Bool {
        switch state {
        case .open(let invitation), .answered(let invitation, _, _), .confirmed(let invitation, _, _),
            .proven(let invitation, _, _):
            now >= invitation.expiry
        case .granted: false
        case .ended: true
        }
    }
}

/// A joiner that has proved that it knows the code, as the person at the inviter is told of it.
package struct PairingApplicant: Hashable, Sendable {
    /// What it is called; fit to be shown.
    package let name: String
    /// What both sides show, to be compared.
    package let phrase: String

    package init(name: String, phrase: String) { (self.name, self.phrase) = (name, phrase) }
}

/// Who was let in.
package struct PairingAdmission: Equatable, Sendable {
    /// The key to which the certificate was given.
    package let joiner: PublicKey
    /// The certificate, which the roster must learn of.
    package let certificate: Certificate

    /// A joiner with this key was given this certificate.
    package init(joiner: PublicKey, certificate: Certificate) {
        (self.joiner, self.certificate) = (joiner, certificate)
    }
}
