import BatonCore
import BatonNetwork
import BatonSecurity

/// Where machines are let into an account: at most one invitation at a time, and who waits to hear of it.
final class Reception {
    /// Keeps a new device in the roster; the closure hears whether that worked.
    typealias Admit = (Device, @escaping (StoreFailure?) -> Void) -> Void

    private let credentials: Credentials
    private let door: InvitationDoor
    private let loop: EventLoop
    private let limits: Limits
    private let log: Log
    private let admit: Admit
    /// The open invitation.
    private(set) var invitation: Invitation?
    private var waiting: [(LocalAnswer) -> Void] = []

    init(
        _ credentials: Credentials, door: InvitationDoor, on loop: EventLoop, limits: Limits, log: Log,
        admit: @escaping Admit
    ) {
        (self.credentials, self.door, self.loop) = (credentials, door, loop)
        (self.limits, self.log, self.admit) = (limits, log, admit)
    }

    /// Opens an invitation; one that is open already ends.
    func invite() throws(LocalFailure) -> Invitation {
        guard let owner = credentials.ownerAuthority else {
            throw LocalFailure(
                .notAllowed,
                "Only an owner of the account can invite.\nType `baton invite` on the first machine of it.")
        }
        invitation?.cancel(LocalFailure(.invitationOver, "A newer invitation took the place of this one."))
        do {
            let invitation = try Invitation(
                owner: owner, device: credentials.device, name: credentials.deviceName, door: door, on: loop,
                limits: limits,
                admit: { [credentials, admit] device, name, then in
                    let inviter = credentials.device
                    admit(Device(identifier: device, name: name, admitted: .now, inviter: inviter), then)
                }, over: { [unowned self] outcome in ended(outcome) })
            self.invitation = invitation
            return invitation
        } catch {
            throw LocalFailure(.failed, "The invitation could not be made: \(error)")
        }
    }

    /// Has the answer given once the open invitation is used or over.
    func awaitInvitation(_ answer: @escaping (LocalAnswer) -> Void) {
        guard invitation != nil else {
            let failure = LocalFailure(.invitationOver, "No invitation is open.\n`baton invite` opens one.")
            return answer(.failure(failure))
        }
        guard waiting.count < limits.localConnections else {
            return answer(.failure(LocalFailure(.failed, "Too many wait for this invitation already.")))
        }
        waiting.append(answer)
    }

    /// Ends the open invitation, because the node stops.
    func close() { invitation?.cancel(LocalFailure(.failed, "The node was stopped.")) }

    private func ended(_ outcome: Invitation.Outcome) {
        invitation = nil
        let answer: LocalAnswer
        switch outcome {
        case .joined(let device, let name):
            log.tell("“\(name)” joined")
            answer = .joined(DeviceReference(identifier: device, name: name, isHere: false))
        case .failed(let failure):
            log.tell("invitation: \(failure)")
            answer = .failure(failure)
        }
        let waiting = waiting
        self.waiting = []
        for tell in waiting { tell(answer) }
    }
}
