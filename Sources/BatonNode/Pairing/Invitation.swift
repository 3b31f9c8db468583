import BatonCore
import BatonNetwork
import BatonSecurity
import Synchronization

/// Whether somebody may knock to join; asked in the middle of TLS handshakes.
final class InvitationDoor: Sendable {
    private let open = Atomic(false)

    var isOpen: Bool {
        get { open.load(ordering: .relaxed) }
        set { open.store(newValue, ordering: .relaxed) }
    }
}

/// An open invitation: shows a code, hears who knocks, and lets one in.
///
/// It lets go of itself when it is over; what became of it is told once.
final class Invitation: ChannelOwner {
    /// What became of an invitation.
    enum Outcome {
        case joined(DeviceIdentifier, name: String)
        case failed(LocalFailure)
    }

    let code: PairingCode
    let expires: WallTime
    private var inviter: PairingInviter
    private let door: InvitationDoor
    private let loop: EventLoop
    private let limits: Limits
    /// Enters a device in the roster; the closure is told whether that worked.
    private let admit: (DeviceIdentifier, String, @escaping (StoreFailure?) -> Void) -> Void
    private var over: ((Outcome) -> Void)?
    private var timer: TimerToken?
    /// Those who knock, by their channels.
    private var joiners: [ObjectIdentifier: Joiner] = [:]
    /// Who was granted a certificate and has not said yet that it keeps it.
    private var granted: (device: DeviceIdentifier, name: String, channel: ObjectIdentifier)?

    /// Somebody who knocks; as anybody can, there are not many at once, and none stays for long.
    private struct Joiner {
        let channel: Channel
        let key: PublicKey
        /// When the channel is closed, whatever was said.
        let timer: TimerToken
    }

    init(
        owner: OwnerAuthority, device: DeviceIdentifier, name: String, door: InvitationDoor,
        on loop: EventLoop, limits: Limits,
        admit: @escaping (DeviceIdentifier, String, @escaping (StoreFailure?) -> Void) -> Void,
        over: @escaping (Outcome) -> Void
    ) throws(SecurityError) {
        code = try PairingCode.random()
        expires = WallTime.now.advanced(by: limits.invitationTime)
        inviter = PairingInviter(
            code: code, expiry: expires.seconds, owner: owner, inviter: device, inviterName: name)
        (self.door, self.loop, self.limits) = (door, loop, limits)
        (self.admit, self.over) = (admit, over)
        door.isOpen = true
        timer = loop.schedule(after: limits.invitationTime) { [self] in
            end(
                .failed(
                    LocalFailure(
                        .invitationOver, "Nobody used the code in time. `baton invite` shows a new one.")))
        }
    }

    /// Ends the invitation, because another takes its place or the node stops.
    func cancel(_ failure: LocalFailure) { end(.failed(failure)) }

    // MARK: Channels of those who knock

    func channel(_ channel: Channel, established peer: Peer) {
        guard case .joiner(let key) = peer, over != nil, joiners.count < limits.strangers else {
            return channel.close()
        }
        let timer = loop.schedule(after: limits.openingTime) { channel.close() }
        joiners[ObjectIdentifier(channel)] = Joiner(channel: channel, key: key, timer: timer)
        channel.pass(to: self)
    }

    func channel(_ channel: Channel, received frame: Frame) {
        guard let key = joiners[ObjectIdentifier(channel)]?.key else { return channel.close() }
        do {
            let message = try PairingMessage(frame)
            let exported = try channel.exportedKey(
                label: PairingSecret.exporterLabel, count: PairingSecret.channelByteCount)
            let action = inviter.handle(message, from: key, channel: exported, now: WallTime.now.seconds)
            // The first guess ends the invitation, whatever comes of it.
            door.isOpen = inviter.isOpen(now: WallTime.now.seconds)
            perform(action, on: channel)
        } catch {
            channel.close()
        }
    }

    func channel(_ channel: Channel, refused reason: CloseReason) { channel.close() }

    func channel(_ channel: Channel, ended end: ChannelEnd) {
        if let joiner = joiners.removeValue(forKey: ObjectIdentifier(channel)) { loop.cancel(joiner.timer) }
        guard let granted, granted.channel == ObjectIdentifier(channel) else { return }
        self.end(.failed(Self.gone(granted.name)))
    }

    private func perform(_ action: PairingInviter.MessageAction, on channel: Channel) {
        switch action {
        case .grant(let grant, let admission):
            let device = admission.joiner.device
            granted = (device, admission.certificate.commonName, ObjectIdentifier(channel))
            channel.send(PairingMessage.grant(grant).frame)
        case .refuse(let refusal):
            channel.send(PairingMessage.refusal(refusal).frame)
            channel.close()
            if let failure = Self.failure(refusal) { end(.failed(failure)) }
        case .finish:
            channel.close()
            guard let granted = granted.take() else { return }
            // Only now the roster learns of it: who is gone before has left nothing behind, and who only
            // could not say so any more is entered when it first connects.
            admit(granted.device, granted.name) { [self] failure in
                if let failure {
                    let text = "“\(granted.name)” has joined, but that could not be kept: \(failure)."
                    return end(.failed(LocalFailure(.storage, text)))
                }
                end(.joined(granted.device, name: granted.name))
            }
        case .close:
            channel.close()
        }
    }

    /// Whoever was let in did not wait to hear it, or to say so.
    private static func gone(_ name: String) -> LocalFailure {
        LocalFailure(
            .failed,
            "“\(name)” proved that it knows the code, but was gone before it said that it joined. "
                + "If it says so itself, all is well; otherwise invite it again with `baton invite`.")
    }

    /// What a refusal means for the person who invites; nothing if the invitation goes on, or was over before.
    private static func failure(_ refusal: PairingRefusal) -> LocalFailure? {
        switch refusal {
        case .wrongCode:
            LocalFailure(
                .wrongCode,
                "A wrong code was entered, and each is good for one try. `baton invite` shows a new one.")
        case .failed:
            LocalFailure(
                .failed, "The certificate of the new device could not be made. Try `baton invite` again.")
        case .ended: nil
        }
    }

    private func end(_ outcome: Outcome) {
        guard let over = over.take() else { return }
        door.isOpen = false
        inviter.cancel()
        if let timer { loop.cancel(timer) }
        for joiner in joiners.values { joiner.channel.close() }
        over(outcome)
    }
}
