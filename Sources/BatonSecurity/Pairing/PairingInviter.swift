package import BatonCore

/// The inviter's side of a pairing, which admits one joiner if the only guess at the code is right and in time.
///
/// ```
///        request          right proof          introduction        consent          joined
///  open ────────▶ answered ─────────▶ confirmed ───────────▶ proven ──────▶ granted ────────▶ ended
///    └───────────────┴────────────────────┴─────────────────────┴──────────────┴─ anything else ─▶
/// ```
///
/// The first request uses up the only guess, whatever its outcome; later requests are refused. The joiner must prove
/// first that it knows the code. So an attacker who does not know the code learns nothing from the inviter, not even
/// its name. One invitation handles all connections that speak `baton-pair/1`. The invitation checks the roster three
/// times: when the joiner has proved that it knows the code, before it grants a certificate, and before it counts the
/// joiner as joined. Times are in seconds since 1970.
package struct PairingInviter: ~Copyable {
    /// The state of the invitation, with the values that each state needs.
    private enum State {
        /// Nobody has made a guess.
        case open(Invitation)
        /// The inviter has answered the first request.
        case answered(Invitation, PairingProof, PairingChannel)
        /// The joiner has proved that it knows the code, but has not named itself.
        case confirmed(Invitation, phrase: String, PairingChannel)
        /// The joiner has named itself, and waits for the consent of the person at the inviter.
        case proven(Invitation, PairingApplicant, PairingChannel)
        /// The inviter has sent a certificate, but the joiner has not confirmed that it has stored the certificate.
        case granted(PairingAdmission, PairingChannel)
        /// The invitation is over.
        case ended
    }

    /// The values that do not change while the invitation lasts.
    private struct Invitation {
        let code: PairingCode, expiry: Int64, owner: OwnerAuthority
        let device: DeviceIdentifier, name: String, asksPerson: Bool
    }

    private var state: State
    private let refusal: (DeviceIdentifier) -> PairingRefusal?

    /// Makes an invitation of this device into the owner's account; `asksPerson` is passed on to the joiner.
    ///
    /// `refusal` returns the reason in the roster not to admit a joiner, or nil.
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

    /// The action that a message from a joiner requires.
    package enum MessageAction: Equatable {
        /// Send this message, and keep the connection.
        case send(PairingMessage)
        /// The joiner has named itself: tell the person, and then call `admit` or `end`.
        case meet(PairingApplicant)
        /// Send this refusal, and close the connection.
        ///
        /// If `isOver` is true, the invitation is over; otherwise, it continues with another joiner.
        case refuse(PairingRefusal, isOver: Bool)
        /// The joiner is now a device of the account, so close the connection.
        case finish(PairingAdmission)
        /// The joiner gave up for this reason, so close the connection; the invitation is over.
        case giveUp(PairingRefusal)
        /// Close the connection without an answer, because the message was not expected.
        case close
    }

    /// Handles a message that arrived over a channel, and returns the required action.
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
        // Only one guess is allowed. So from here on, the invitation is closed to all other joiners.
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
        /// Send this message; the joiner is admitted even if the message does not arrive.
        case grant(PairingMessage, PairingAdmission)
        /// Send this refusal, and close the connection; the invitation is over.
        case refuse(PairingRefusal)
    }

    /// Admits the joiner that has named itself; returns nil if there is none.
    package mutating func admit(now: Int64) -> AdmitAction? {
        guard case .proven(let invitation, let applicant, let channel) = state else { return nil }
        state = .ended
        guard now < invitation.expiry else { return .refuse(.ended) }
        if let refusal = refusal(channel.joiner.device) { return .refuse(refusal) }
        do {
            let owner = invitation.owner
            guard let contentKey = owner.contentKey else {
                throw SecurityError(.locked, "A new device gets the content key, which is locked.")
            }
            let certificate = try owner.certify(channel.joiner, name: applicant.name, now: now)
            let grant = PairingGrant(
                root: owner.root.der, owner: owner.certificate.der, device: certificate.der,
                contentKey: contentKey.secret.copy())
            let admission = PairingAdmission(joiner: channel.joiner, certificate: certificate)
            state = .granted(admission, channel)
            return .grant(.grant(grant), admission)
        } catch {
            return .refuse(.failed)
        }
    }

    /// Ends the invitation early or when it expires; if a joiner is waiting, returns the refusal to send.
    package mutating func end(because refusal: PairingRefusal) -> PairingRefusal? {
        defer { state = .ended }
        switch state {
        case .answered, .confirmed, .proven: return refusal
        // A joiner that was sent a certificate may have stored it, so a refusal might not be true.
        case .open, .granted, .ended: return nil
        }
    }

    /// The progress of a joiner at the time when its connection was lost.
    package enum Loss: Equatable, Sendable {
        /// The joiner had not proved that it knows the code, or had not named itself.
        case unproven
        /// The joiner had named itself, but had no certificate.
        case proven(PairingApplicant)
        /// The joiner was sent a certificate, and may have stored it.
        case granted(PairingAdmission)
    }

    /// Handles the loss of a connection; if it was the connection of the present joiner, the invitation is over.
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

    /// Whether the inviter would accept a guess at this time.
    package func isOpen(now: Int64) -> Bool {
        if case .open(let invitation) = state { now < invitation.expiry } else { false }
    }

    /// The admission of a joiner that was sent a certificate, but has not confirmed that it has stored the certificate.
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

/// A joiner that has proved that it knows the code, as the inviter shows it to the person.
package struct PairingApplicant: Hashable, Sendable {
    /// The joiner's name, made safe to show.
    package let name: String
    /// The words that both machines show, so that people can compare them.
    package let phrase: String

    package init(name: String, phrase: String) { (self.name, self.phrase) = (name, phrase) }
}

/// The result of a pairing: the key of the new device, and its certificate.
package struct PairingAdmission: Equatable, Sendable {
    /// The joiner's key.
    package let joiner: PublicKey
    /// The joiner's certificate, which must be added to the roster.
    package let certificate: Certificate

    /// Makes an admission from the joiner's key and its certificate.
    package init(joiner: PublicKey, certificate: Certificate) {
        (self.joiner, self.certificate) = (joiner, certificate)
    }
}
