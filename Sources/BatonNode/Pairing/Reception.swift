import BatonCore
import BatonNetwork
import BatonSecurity

/// Admits machines to an account.
///
/// At most one invitation is open at a time. Commands can wait for its outcome.
final class Reception {
    /// Stores a new device in the roster by its admission.
    ///
    /// The closure is called with the failure; nil if there was none.
    typealias Admit = (RosterStatement, @escaping (StoreFailure?) -> Void) -> Void

    /// Returns the present credentials of this device.
    private let credentials: () -> Credentials
    /// Returns the present name of this device.
    private let name: () -> String
    /// Returns the roster's reason why this device may not admit a joiner.
    ///
    /// If the argument is nil, the reason concerns every joiner.
    private let refusal: (DeviceIdentifier?) -> PairingRefusal?
    private let door: InvitationDoor
    private let loop: EventLoop
    private let limits: Limits
    private let log: Log
    /// The options that name this home and account, to print in advice to a person.
    private let options: String
    private let admit: Admit
    /// Called when an invitation was opened or has ended.
    private let changed: () -> Void
    /// The open invitation; nil if none is open.
    private(set) var invitation: Invitation?
    /// The outcome of the last invitation, for a command that asks a moment too late.
    private var last: (code: PairingCode, answer: Result<InvitationReply, LocalFailure>)?
    private var waiting: [Waiting] = []

    /// A command that waits for news of the open invitation.
    private struct Waiting {
        let isJoinerKnown: Bool
        let answer: Answer<InvitationReply>
    }

    init(
        _ credentials: @escaping () -> Credentials, name: @escaping () -> String, door: InvitationDoor,
        on loop: EventLoop, limits: Limits, log: Log, options: String,
        refusal: @escaping (DeviceIdentifier?) -> PairingRefusal?, changed: @escaping () -> Void,
        admit: @escaping Admit
    ) {
        (self.refusal, self.changed) = (refusal, changed)
        self.credentials = credentials
        self.name = name
        self.door = door
        self.loop = loop
        self.limits = limits
        self.log = log
        self.options = options
        self.admit = admit
    }

    /// Opens an invitation.
    ///
    /// An invitation that is open already ends.
    func invite(asksPerson: Bool) throws(LocalFailure) -> Invitation {
        let credentials = credentials()
        guard let owner = credentials.ownerAuthority else {
            throw LocalFailure(
                .notAllowed,
                "Only an owner's machine can invite.\nType `baton invite` on an owner's machine (see `baton devices`), or make this machine an owner with `baton promote\(options)` and the recovery code."
            )
        }
        guard refusal(nil) == nil else { throw InvitationFailure.revoked }
        guard credentials.contentKey != nil else {
            throw LocalFailure.locked("The content key, which a new machine gets,", options: options)
        }
        invitation?.cancel(LocalFailure(.invitationOver, "A newer invitation replaced this one."))
        do {
            let invitation = try Invitation(
                owner: owner, device: credentials.device, name: name(),
                asksPerson: asksPerson, door: door, on: loop, limits: limits, refusal: refusal,
                admit: admit, tell: { [unowned self] event in handleEvent(event) })
            self.invitation = invitation
            changed()
            return invitation
        } catch {
            throw LocalFailure(.failed, "Could not create the invitation: \(error)")
        }
    }

    /// Answers once there is news of the invitation with this code.
    ///
    /// News is the outcome of the invitation. If `isJoinerKnown` is false, a joiner that has proved that it knows the
    /// code is news, too.
    func awaitInvitation(
        _ text: String, isJoinerKnown: Bool, _ answer: @escaping Answer<InvitationReply>
    ) {
        let code: PairingCode
        do throws(LocalFailure) {
            code = try Self.code(text)
        } catch {
            return answer(.failure(error))
        }
        guard let invitation, invitation.code == code else {
            if let last, last.code == code { return answer(last.answer) }
            let failure = LocalFailure(
                .invitationOver, "This invitation is not open.\nType `baton invite` to open one.")
            return answer(.failure(failure))
        }
        if !isJoinerKnown, let applicant = invitation.applicant {
            return answer(.success(.joining(applicant, asksPerson: invitation.asksPerson)))
        }
        guard waiting.count < limits.localConnections else {
            return answer(
                .failure(LocalFailure(.failed, "Too many commands are already waiting for this invitation.")))
        }
        waiting.append(Waiting(isJoinerKnown: isJoinerKnown, answer: answer))
    }

    /// Admits or declines the joiner that waits for the person's decision.
    ///
    /// The answer comes once that is done.
    func answerJoiner(_ text: String, letIn: Bool, _ answer: @escaping Answer<InvitationReply>) {
        guard let invitation, (try? PairingCode(text: text)) == invitation.code else {
            return awaitInvitation(text, isJoinerKnown: true, answer)
        }
        guard invitation.isWaitingForPerson else {
            return answer(.failure(LocalFailure(.failed, "No machine is waiting to be admitted.")))
        }
        // The answer about the end of the invitation also says what became of this joiner.
        awaitInvitation(text, isJoinerKnown: true, answer)
        invitation.answerJoiner(letIn: letIn)
    }

    private static func code(_ text: String) throws(LocalFailure) -> PairingCode {
        do {
            return try PairingCode(text: text)
        } catch {
            throw LocalFailure(.usage, error.message)
        }
    }

    /// Ends the open invitation, because a person asked for it.
    ///
    /// Returns false if none is open.
    func cancel() -> Bool {
        guard let invitation else { return false }
        invitation.cancel(LocalFailure(.invitationOver, "The invitation was cancelled."))
        return true
    }

    /// Handles a changed roster.
    ///
    /// The open invitation ends if this device may no longer invite.
    func handleRosterChange() {
        guard let invitation, let refusal = refusal(nil) else { return }
        invitation.cancel(InvitationFailure.revoked, telling: refusal)
    }

    /// Ends the open invitation, because the node stops.
    func close() { invitation?.cancel(LocalFailure(.failed, "The node was stopped.")) }

    private func handleEvent(_ event: Invitation.Event) {
        switch event {
        case .joining(let applicant):
            log.tell("“\(applicant.name)” is joining")
            let told = waiting.filter { !$0.isJoinerKnown }
            waiting.removeAll { !$0.isJoinerKnown }
            guard let invitation else { return }
            for waiting in told {
                waiting.answer(.success(.joining(applicant, asksPerson: invitation.asksPerson)))
            }
        case .joined(let device, let name):
            log.tell("“\(name)” joined")
            end(.success(.joined(DeviceReference(identifier: device, name: name, isHere: false))))
        case .failed(let failure):
            log.warn("invitation: \(failure)")
            end(.failure(failure))
        }
    }

    private func end(_ answer: Result<InvitationReply, LocalFailure>) {
        last = invitation.map { ($0.code, answer) }
        invitation = nil
        changed()
        let waiting = waiting
        self.waiting = []
        for waiting in waiting { waiting.answer(answer) }
    }
}

extension InvitationReply {
    /// Returns the reply that describes a joiner.
    fileprivate static func joining(_ applicant: PairingApplicant, asksPerson: Bool) -> InvitationReply {
        .joining(PairingNotice(name: applicant.name, phrase: applicant.phrase, asksPerson: asksPerson))
    }
}
