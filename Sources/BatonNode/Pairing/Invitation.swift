import BatonCore
import BatonNetwork
import BatonSecurity

/// An open invitation, which has a code, accepts joiners, and admits at most one of them.
///
/// The invitation reports its outcome once.
final class Invitation: ChannelOwner {
    /// The events of an invitation.
    ///
    /// The last two are its outcomes.
    enum Event {
        /// A joiner has proved that it knows the code. If `asksPerson` is true, the joiner waits for `answerJoiner`.
        case joining(PairingApplicant)
        /// A device has joined.
        case joined(DeviceIdentifier, name: String)
        /// No device has joined, or it is unknown whether a device has joined.
        case failed(LocalFailure)
    }

    /// Enters a device in the roster by its admission.
    ///
    /// The closure is called with the failure; nil if there was none.
    typealias Admit = (RosterStatement, @escaping (StoreFailure?) -> Void) -> Void

    let code: PairingCode
    let expires: WallTime
    /// Whether the person must confirm before a joiner is admitted.
    let asksPerson: Bool
    /// The joiner that has proved that it knows the code; nil if there is none yet.
    private(set) var applicant: PairingApplicant?
    private var inviter: PairingInviter
    private let owner: OwnerAuthority
    private let door: InvitationDoor
    private let loop: EventLoop
    private let limits: Limits
    private let admit: Admit
    private var tell: ((Event) -> Void)?
    /// The timer for the end of the invitation.
    private let timer: OwnedTimer
    /// The connected joiners, by channel.
    private var joiners: [ObjectIdentifier: Joiner] = [:]
    /// The channel of the joiner that has proved that it knows the code; nil if there is none.
    private var proven: ObjectIdentifier?
    /// The name of the device that has joined, while its admission is being stored.
    private var keeping: String?

    /// A connected joiner.
    ///
    /// Anybody can connect. Therefore, the number of joiners is small, and each may stay only for a short time.
    private struct Joiner {
        let channel: Channel
        let line: PairingChannel
        /// The timer for closing the channel, whatever the joiner has sent.
        ///
        /// It is not set while the joiner waits for the person.
        let timer: OwnedTimer
        var isWaitingForPerson = false
    }

    init(
        owner: OwnerAuthority, device: DeviceIdentifier, name: String, asksPerson: Bool,
        door: InvitationDoor, on loop: EventLoop, limits: Limits,
        refusal: @escaping (DeviceIdentifier) -> PairingRefusal?, admit: @escaping Admit,
        tell: @escaping (Event) -> Void
    ) throws(SecurityError) {
        code = try PairingCode.random()
        expires = WallTime.now.advanced(by: limits.invitationTime)
        inviter = PairingInviter(
            code: code, expiry: expires.seconds, owner: owner, inviter: device, inviterName: name,
            asksPerson: asksPerson, refusal: refusal)
        self.asksPerson = asksPerson
        self.door = door
        self.loop = loop
        self.limits = limits
        self.owner = owner
        self.admit = admit
        self.tell = tell
        timer = OwnedTimer(on: loop)
        door.isOpen = true
        timer.set(after: limits.invitationTime) { [unowned self] in expire() }
    }

    /// Ends the invitation, because its time is over.
    private func expire() {
        // A joiner that was granted a certificate may finish. This takes only a moment.
        guard granted == nil else { return }
        end(
            because: .ended,
            applicant.map { InvitationFailure.late($0.name) } ?? InvitationFailure.unused)
    }

    /// Ends the invitation.
    ///
    /// Another invitation replaces it, the node stops, or this device may no longer invite.
    func cancel(_ failure: LocalFailure, telling refusal: PairingRefusal = .ended) {
        end(because: refusal, granted.map { InvitationFailure.goneGranted($0) } ?? failure)
    }

    /// Ends the invitation, because the command that should ask the person has ended.
    ///
    /// If a joiner was already granted a certificate, the invitation goes on.
    func handlePersonGone() {
        guard granted == nil else { return }
        end(
            because: applicant == nil ? .ended : .declined,
            LocalFailure(.invitationOver, "The command that was to ask the question has ended."))
    }

    /// The name of the joiner that was granted a certificate and is not in the roster yet; nil if there is none.
    private var granted: String? { keeping ?? inviter.granted?.certificate.commonName }

    /// Whether a joiner waits for the person's decision.
    var isWaitingForPerson: Bool {
        guard asksPerson, tell != nil, let proven, let joiner = joiners[proven] else { return false }
        return joiner.isWaitingForPerson
    }

    /// Admits or declines the joiner that waits for the person's decision.
    func answerJoiner(letIn: Bool) {
        guard isWaitingForPerson, let applicant, let proven, let joiner = joiners[proven] else { return }
        if letIn {
            grant(to: joiner)
        } else {
            end(because: .declined, InvitationFailure.declined(applicant.name))
        }
    }

    // MARK: Channels of joiners

    func channel(_ channel: Channel, established peer: Peer) {
        guard case .joiner(let key) = peer, tell != nil, joiners.count < limits.strangers else {
            return channel.close()
        }
        do {
            let exported = try channel.exportedKey(
                label: PairingChannel.exporterLabel, count: PairingChannel.exportedByteCount)
            let joiner = Joiner(
                channel: channel, line: PairingChannel(joiner: key, exported: exported),
                timer: OwnedTimer(on: loop))
            joiners[ObjectIdentifier(channel)] = joiner
            closeLater(joiner)
            channel.pass(to: self)
        } catch {
            channel.close()
        }
    }

    func channel(_ channel: Channel, received frame: Frame) {
        guard let joiner = joiners[ObjectIdentifier(channel)] else { return channel.close() }
        do {
            let message = try PairingMessage(frame)
            let action = inviter.handleMessage(message, over: joiner.line, now: WallTime.now.seconds)
            // The first guess of the code ends the invitation for all other joiners, whether the guess is right or
            // wrong.
            door.isOpen = inviter.isOpen(now: WallTime.now.seconds)
            perform(action, for: joiner)
        } catch {
            channel.close()
        }
    }

    func channel(_ channel: Channel, refused reason: CloseReason) { channel.close() }

    func channel(_ channel: Channel, ended end: ChannelEnd) {
        guard let joiner = joiners.removeValue(forKey: ObjectIdentifier(channel)) else { return }
        joiner.timer.cancel()
        switch inviter.handleLoss(of: joiner.line) {
        case nil: return
        case .unproven: self.end(InvitationFailure.goneUnproven)
        case .proven(let applicant): self.end(InvitationFailure.gone(applicant.name))
        case .granted(let admission):
            self.end(InvitationFailure.goneGranted(admission.certificate.commonName))
        }
    }

    private func perform(_ action: PairingInviter.MessageAction, for joiner: Joiner) {
        let channel = joiner.channel
        switch action {
        case .send(let message): channel.send(message.frame)
        case .meet(let applicant):
            (self.applicant, proven) = (applicant, ObjectIdentifier(channel))
            tell?(.joining(applicant))
            if asksPerson { wait(for: channel) } else { grant(to: joiner) }
        case .refuse(let refusal, let isOver):
            channel.send(PairingMessage.refusal(refusal).frame)
            channel.close()
            if isOver { end(InvitationFailure.refused(refusal)) }
        case .finish(let admission):
            channel.close()
            keep(admission)
        case .giveUp(let refusal):
            channel.close()
            end(InvitationFailure.givenUp(refusal, by: applicant?.name))
        case .close:
            channel.close()
        }
    }

    /// Lets the joiner wait for the person's decision until the invitation ends.
    private func wait(for channel: Channel) {
        joiners[ObjectIdentifier(channel)]?.timer.cancel()
        joiners[ObjectIdentifier(channel)]?.isWaitingForPerson = true
    }

    /// Closes the joiner's channel after some time, whatever the joiner sends until then.
    private func closeLater(_ joiner: Joiner) {
        joiner.timer.set(after: limits.openingTime) { [channel = joiner.channel] in channel.close() }
    }

    private func grant(to joiner: Joiner) {
        let channel = joiner.channel
        switch inviter.admit(now: WallTime.now.seconds) {
        case nil: return
        case .refuse(let refusal):
            channel.send(PairingMessage.refusal(refusal).frame)
            channel.close()
            end(InvitationFailure.refused(refusal))
        case .grant(let message, _):
            if joiner.isWaitingForPerson {
                joiners[ObjectIdentifier(channel)]?.isWaitingForPerson = false
                closeLater(joiner)
            }
            channel.send(message.frame)
        }
    }

    /// Enters the joiner in the roster, because the joiner has its certificate now.
    ///
    /// If a joiner was lost before this, nothing was written. If a joiner has its certificate but could not confirm
    /// that, it is entered when it first connects.
    private func keep(_ admission: PairingAdmission) {
        let (device, name) = (admission.joiner.device, admission.certificate.commonName)
        keeping = name
        do {
            let chain = AccountChain(
                root: owner.root, owner: owner.certificate, device: admission.certificate)
            admit(try chain.admission()) { [self] failure in
                if let failure { return end(InvitationFailure.notKept(name, failure)) }
                end(.joined(device, name: name))
            }
        } catch {
            end(InvitationFailure.notKept(name, StoreFailure(.failed, "\(error)")))
        }
    }

    // MARK: The end

    private func end(because refusal: PairingRefusal, _ failure: LocalFailure) {
        if let refusal = inviter.end(because: refusal) {
            for joiner in joiners.values { joiner.channel.send(PairingMessage.refusal(refusal).frame) }
        }
        end(failure)
    }

    private func end(_ failure: LocalFailure) { end(.failed(failure)) }

    private func end(_ event: Event) {
        guard let tell = tell.take() else { return }
        door.isOpen = false
        _ = inviter.end(because: .ended)
        timer.cancel()
        for joiner in joiners.values { joiner.channel.close() }
        tell(event)
    }
}
