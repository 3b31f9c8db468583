package import BatonCore
package import BatonSecurity

/// An invitation, those who want in, and the wires between them: messages are delivered, lost and changed as a test or
/// a fuzzer says, and both sides are heard to the end.
package final class PairingWorld {
    /// What time it is at the inviter, in seconds since 1970.
    package var now: Int64
    package let code: PairingCode
    private var inviter: PairingInviter
    /// Who was shown to the person at the inviter.
    package private(set) var applicant: PairingApplicant?
    /// What the inviter says in the end.
    package private(set) var ending: Ending?
    package private(set) var joiners: [PairingGuest] = []
    /// Every message so far, in order, for who records it.
    package private(set) var record: [PairingMessage] = []
    private let asksPerson: Bool
    /// The roster's word at the inviter, which a test changes at any step.
    package let roster = Roster()

    /// Machines that the inviter's roster refuses.
    package final class Roster {
        /// The keys that were revoked.
        package var revoked: Set<DeviceIdentifier> = []
        /// Whether the inviter's own key was revoked.
        package var isInviterRevoked = false

        fileprivate func refusal(of device: DeviceIdentifier) -> PairingRefusal? {
            isInviterRevoked ? .inviterRevoked : revoked.contains(device) ? .joinerRevoked : nil
        }
    }

    /// What the inviter says at its end.
    package enum Ending: Equatable {
        case joined(DeviceIdentifier)
        /// Nobody has joined, for sure.
        case nobody(Reason)
        /// It was granted, and gone before it said that it kept it.
        case unknown(DeviceIdentifier)
    }

    /// Why nobody has joined.
    package enum Reason: Equatable {
        case refused(PairingRefusal)
        case givenUp(PairingRefusal)
        case lost
        case cancelled
    }

    /// The account of all these worlds; making one takes a while.
    package static func account() throws -> Credentials { try accountResult.get() }

    /// The time at which the account begins.
    package static let began: Int64 = 1_800_000_000

    private static let accountResult = Result {
        try Credentials(
            root: RootAuthority(recoveryCode: .random(), now: began), deviceName: "laptop", now: began)
    }

    /// An invitation of ten minutes.
    package init(code: PairingCode? = nil, asksPerson: Bool = false) throws {
        let account = try Self.account()
        (now, self.asksPerson) = (Self.began, asksPerson)
        self.code = try code ?? .random()
        guard let owner = account.ownerAuthority else { throw SecurityError(.damaged, "no owner") }
        inviter = PairingInviter(
            code: self.code, expiry: Self.began + 600, owner: owner, inviter: account.device,
            inviterName: "laptop", asksPerson: asksPerson, refusal: { [roster] in roster.refusal(of: $0) })
    }

    /// One more who wants in, on a channel of its own.
    @discardableResult package func arrive(
        code: PairingCode? = nil, name: String = "desktop", clockIsAheadBy gap: Int64 = 0
    ) throws -> PairingGuest {
        let guest = try PairingGuest(
            code: code ?? self.code, name: name, number: joiners.count, clock: now + gap)
        joiners.append(guest)
        return guest
    }

    /// Whether a guess would be heard after so many seconds.
    package func isOpen(in seconds: Int64 = 0) -> Bool { inviter.isOpen(now: now + seconds) }

    /// Whether nothing can happen any more.
    package var isOver: Bool { inviter.isOver(now: now) }

    /// Whether somebody was granted a certificate, and has not said that it kept it.
    package var isGranted: Bool { inviter.granted != nil }

    // MARK: What happens

    /// Delivers all messages of all, until nobody says anything more.
    package func run() {
        while let guest = joiners.first(where: { !$0.toInviter.isEmpty || !$0.toJoiner.isEmpty }) {
            if !guest.toInviter.isEmpty { deliverToInviter(guest) } else { deliverToJoiner(guest) }
        }
    }

    /// Delivers the given number of messages of one guest, to the inviter where one waits for it, else to the guest.
    package func deliver(_ count: Int, with guest: PairingGuest) {
        for _ in 0..<count where !deliverToInviter(guest) { deliverToJoiner(guest) }
    }

    /// Delivers the next message to the inviter; answers whether there was one.
    @discardableResult package func deliverToInviter(_ guest: PairingGuest) -> Bool {
        guard !guest.toInviter.isEmpty else { return false }
        let message = guest.toInviter.removeFirst()
        record.append(message)
        hear(message, over: guest.channel, of: guest)
        return true
    }

    /// Delivers the next message to the joiner.
    @discardableResult package func deliverToJoiner(_ guest: PairingGuest) -> Bool {
        guard !guest.toJoiner.isEmpty else { return false }
        let message = guest.toJoiner.removeFirst()
        record.append(message)
        guest.hear(message)
        return true
    }

    /// The inviter hears a message over a channel; its answers go to that guest.
    package func hear(_ message: PairingMessage, over channel: PairingChannel, of guest: PairingGuest?) {
        switch inviter.handle(message, over: channel, now: now) {
        case .send(let message): guest?.toJoiner.append(message)
        case .meet(let applicant):
            self.applicant = applicant
            if !asksPerson { admit(guest) }
        case .refuse(let refusal, let isOver):
            guest?.toJoiner.append(.refusal(refusal))
            if isOver { end(.nobody(.refused(refusal))) }
        case .finish(let admission): end(.joined(admission.joiner.device))
        case .giveUp(let refusal): end(.nobody(.givenUp(refusal)))
        case .close: cut(guest)
        }
    }

    /// The person, or the program where nobody is asked, lets the joiner in.
    package func admit(_ guest: PairingGuest?) {
        switch inviter.admit(now: now) {
        case nil: return
        case .grant(let message, let admission):
            grants.append(admission.joiner)
            guest?.toJoiner.append(message)
        case .refuse(let refusal):
            guest?.toJoiner.append(.refusal(refusal))
            end(.nobody(.refused(refusal)))
        }
    }

    /// To whom certificates were given.
    package private(set) var grants: [PublicKey] = []

    /// The person declines, or the time is over.
    package func stop(because refusal: PairingRefusal, telling guest: PairingGuest? = nil) {
        if let granted = inviter.granted { return end(.unknown(granted.joiner.device)) }
        if let refusal = inviter.end(because: refusal) { guest?.toJoiner.append(.refusal(refusal)) }
        end(.nobody(.cancelled))
    }

    /// Cuts a guest's connection: nothing that is on its way arrives.
    package func cut(_ guest: PairingGuest?) {
        guard let guest else { return }
        guest.lose()
        switch inviter.handleLoss(of: guest.channel) {
        case nil: return
        case .unproven, .proven: end(.nobody(.lost))
        case .granted(let admission): end(.unknown(admission.joiner.device))
        }
    }

    private func end(_ ending: Ending) { self.ending = self.ending ?? ending }

    // MARK: Judging

    /// What is not consistent between what the inviter and the guests say and keep; nothing if all is.
    package func contradiction() -> String? {
        let members = joiners.filter { $0.credentials != nil }.map(\.device)
        guard members.count <= 1 else { return "\(members.count) have joined" }
        switch ending {
        case .joined(let device) where members != [device]: return "it is said to have joined, and has not"
        case .nobody(let reason) where !members.isEmpty: return "one has joined, and it is said \(reason)"
        case .unknown(let device) where !(members.isEmpty || members == [device]):
            return "another one has joined"
        case nil where !members.isEmpty && grants.isEmpty: return "one has joined without a grant"
        default: break
        }
        for guest in joiners where guest.credentials != nil && guest.host?.phrase != applicant?.phrase {
            return "the phrases differ"
        }
        return nil
    }
}
