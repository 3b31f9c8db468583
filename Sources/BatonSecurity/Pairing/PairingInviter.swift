package import BatonCore

/// The inviter's side of a pairing: it admits one joiner whose first guess at the code is right and in time.
///
/// ```
///        request          right proof          introduction        consent          joined
///  open ────────▶ answered ─────────▶ confirmed ───────────▶ proven ──────▶ granted ────────▶ ended
///    └───────────────┴────────────────────┴─────────────────────┴──────────────┴─ anything else ─▶
/// ```
///
/// The first request uses up the only guess, whatever its outcome; later requests are refused. The joiner proves first
/// that it knows the code, so that an attacker who does not know it learns nothing from the inviter, not even its name.
/// One invitation handles all connections that speak `baton-pair/1`. It checks the roster when the joiner has proved
/// that it knows the code, before it grants a certificate, and before it counts the joiner as joined. Times are in
/// seconds since 1970.
package struct PairingInviter: ~Copyable {
    /// The progress of the invitation, with the values that each state needs.
    private enum State {
        /// No guess was made.
        case open(Invitation)
        /// The first request was answered.
        case answered(Invitation, PairingProof, PairingChannel)
        /// The joiner has proved that it knows the code, but has not named itself.
        case confirmed(Invitation, phrase: String, PairingChannel)
        /// The joiner has named itself, and waits for consent.
        case proven(Invitation, PairingApplicant, PairingChannel)
        /// The joiner was sent a certificate, but has not said that it kept it.
        case granted(PairingAdmission, PairingChannel)
        /// The invitation is over.
        case ended
    }

    /// The values of an invitation while it lasts.
    private struct Invitation {
        let code: PairingCode, expiry: Int64, owner: OwnerAuthority
        let device: DeviceIdentifier, name: String, asksPerson: Bool
    }

    private var state: State
    private let refusal: (DeviceIdentifier) -> PairingRefusal?

    /// Makes an invitation into the owner's account by the given device; the joiner is told `asksPerson`.
    ///
    /// `refusal` returns the roster's reason against admitting that joiner, or nil.
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

    /// The reaction to a message from a joiner.
    package enum MessageAction: Equatable {
        /// Send this, and keep the connection.
        case send(PairingMessage)
        /// The joiner named itself: tell the person, and then call `admit` or `end`.
        case meet(PairingApplicant)
        /// Send this refusal, and close the connection. If `isOver`, the invitation is over; else it continues with
        /// another joiner.
        case refuse(PairingRefusal, isOver: Bool)
        /// The joiner is now a device of the account; close the connection.
        case finish(PairingAdmission)
        /// The joiner gave up for this reason; close the connection. The invitation is over.
        case giveUp(PairingRefusal)
        /// Close the connection without an answer, because the message was out of turn.
        case close
    }

    /// Handles a message that arrived over a channel.
    package mutating func handleMessage(
        _ message: PairingMessage, over channel: PairingChannel, now: Int64
    ) -> MessageAction {
        switch message {
        case .request(let request): handleRequest(request, over: channel, now: now)
        case .confirmation(let confirmation): handleConfirmation(confirmation, over: channel, now: now)
        case .introduction(let introduction): handleIntroduction(introduction, over: channel, now: now)
        case .joined: handleJoined(over: channel)
        case .refusal(let refusal): handleRefusal(refusal, over: channel)
        case .answer, .welcome, .grant: .close
        }
    }

    private mutating func handleRequest(
        _ request: PairingRequest, over channel: PairingChannel, now: Int64
    ) -> MessageAction {
        guard case .open(let invitation) = state else { return .refuse(.ended, isOver: false) }
        // A joiner has one guess, so the invitation ends here whether it succeeds or fails.
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

    private mutating func handleConfirmation(
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

    private mutating func handleIntroduction(
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

    private mutating func handleRefusal(_ refusal: PairingRefusal, over channel: PairingChannel)
        -> MessageAction
    {
        switch state {
        case .answered(_, _, channel), .confirmed(_, _, channel), .proven(_, _, channel),
            .granted(_, channel):
            state = .ended
            return .giveUp(refusal)
        case .open, .answered, .confirmed, .proven, .granted, .ended: return .close
        }
    }

    // MARK: Consent and loss

    /// The result of admitting the joiner.
    package enum AdmitAction: Equatable {
        /// Send this. The joiner is admitted, whether or not the message arrives.
        case grant(PairingMessage, PairingAdmission)
        /// Send this refusal, and close the connection; the invitation is over.
        case refuse(PairingRefusal)
    }

    /// Admits the joiner that has proved that it knows the code; returns nil if there is none.
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

    /// Ends the invitation early or at its expiry; returns the refusal to send to a waiting joiner, if there is one.
    package mutating func end(because refusal: PairingRefusal) -> PairingRefusal? {
        defer { state = .ended }
        switch state {
        case .answered, .confirmed, .proven: return refusal
        // A joiner that was sent a certificate may have kept it, so a refusal could be false.
        case .open, .granted, .ended: return nil
        }
    }

    /// The progress of a joiner whose connection was lost.
    package enum Loss: Equatable, Sendable {
        /// It had not proved that it knows the code, or had not named itself.
        case unproven
        /// It had named itself, but had no certificate.
        case proven(PairingApplicant)
        /// It was sent a certificate, and may have kept it.
        case granted(PairingAdmission)
    }

    /// Handles the loss of a connection; if it was the joiner's, the invitation is over.
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

    /// Whether a guess would be accepted at that time.
    package func isOpen(now: Int64) -> Bool {
        if case .open(let invitation) = state { now < invitation.expiry } else { false }
    }

    /// The admission of a joiner that was sent a certificate, but has not said that it kept it.
    package var granted: PairingAdmission? {
        if case .granted(let admission, _) = state { admission } else { nil }
    }

    /// Whether the invitation is over or expired, and can be discarded.
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

/// A joiner that has proved that it knows the code, as it is shown to the person at the inviter.
package struct PairingApplicant: Hashable, Sendable {
    /// The joiner's name, fit to be shown.
    package let name: String
    /// The words that both machines show for comparison.
    package let phrase: String

    package init(name: String, phrase: String) { (self.name, self.phrase) = (name, phrase) }
}

/// The result of a pairing: a device with its certificate.
package struct PairingAdmission: Equatable, Sendable {
    /// The joiner's key.
    package let joiner: PublicKey
    /// The certificate, which must be added to the roster.
    package let certificate: Certificate

    /// Makes an admission of the joiner with this key by this certificate.
    package init(joiner: PublicKey, certificate: Certificate) {
        (self.joiner, self.certificate) = (joiner, certificate)
    }
}
