package import BatonCore
package import BatonSecurity

/// An invitation, its joiners, and the network between them.
///
/// A test or a fuzzer decides which messages are delivered, lost or changed.
package final class PairingWorld {
    /// The time at the inviter, in seconds since 1970.
    package var now: Int64
    package let code: PairingCode
    private var inviter: PairingInviter
    /// The joiner that was shown to the person at the inviter.
    package private(set) var applicant: PairingApplicant?
    /// The result that the inviter reports.
    package private(set) var ending: Ending?
    package private(set) var joiners: [PairingGuest] = []
    /// All messages that were delivered, in order.
    package private(set) var record: [PairingMessage] = []
    private let asksPerson: Bool
    /// The inviter's roster, which a test can change at any step.
    package let roster = Roster()

    /// The machines that the inviter's roster refuses.
    package final class Roster {
        /// The revoked keys.
        package var revoked: Set<DeviceIdentifier> = []
        /// Whether the inviter's own key was revoked.
        package var isInviterRevoked = false

        fileprivate func refusal(of device: DeviceIdentifier) -> PairingRefusal? {
            isInviterRevoked ? .inviterRevoked : revoked.contains(device) ? .joinerRevoked : nil
        }
    }

    /// The result that the inviter reports.
    package enum Ending: Equatable {
        case joined(DeviceIdentifier)
        /// Nobody has joined, for certain.
        case nobody(Reason)
        /// A joiner got a certificate, but its connection was lost before it said that it kept it.
        case unknown(DeviceIdentifier)
    }

    /// The reason for which nobody has joined.
    package enum Reason: Equatable {
        case refused(PairingRefusal)
        case givenUp(PairingRefusal)
        case lost
        case cancelled
    }

    /// The account of all worlds, made once because that takes a while.
    package static func account() throws -> Credentials { try accountResult.get() }

    /// The time at which the account begins.
    package static let began: Int64 = 1_800_000_000

    private static let accountResult = Result {
        try Credentials(
            root: RootAuthority(recoveryCode: .random(), now: began), deviceName: "laptop", now: began)
    }

    /// Makes an invitation that is valid for ten minutes.
    package init(code: PairingCode? = nil, asksPerson: Bool = false) throws {
        let account = try Self.account()
        (now, self.asksPerson) = (Self.began, asksPerson)
        self.code = try code ?? .random()
        guard let owner = account.ownerAuthority else { throw SecurityError(.damaged, "no owner") }
        inviter = PairingInviter(
            code: self.code, expiry: Self.began + 600, owner: owner, inviter: account.device,
            inviterName: "laptop", asksPerson: asksPerson, refusal: { [roster] in roster.refusal(of: $0) })
    }

    /// Adds a joiner on a channel of its own.
    @discardableResult package func arrive(
        code: PairingCode? = nil, name: String = "desktop", clockIsAheadBy gap: Int64 = 0
    ) throws -> PairingGuest {
        let guest = try PairingGuest(
            code: code ?? self.code, name: name, number: joiners.count, clock: now + gap)
        joiners.append(guest)
        return guest
    }

    /// Whether a guess would be accepted after this many seconds.
    package func isOpen(in seconds: Int64 = 0) -> Bool { inviter.isOpen(now: now + seconds) }

    /// Whether the invitation is over.
    package var isOver: Bool { inviter.isOver(now: now) }

    /// Whether a joiner got a certificate, but has not said that it kept it.
    package var isGranted: Bool { inviter.granted != nil }

    // MARK: Events

    /// Delivers all messages until none is left.
    package func run() {
        while let guest = joiners.first(where: { !$0.toInviter.isEmpty || !$0.toJoiner.isEmpty }) {
            if !guest.toInviter.isEmpty { deliverToInviter(guest) } else { deliverToJoiner(guest) }
        }
    }

    /// Delivers the given number of messages of one guest, those to the inviter first.
    package func deliver(_ count: Int, with guest: PairingGuest) {
        for _ in 0..<count where !deliverToInviter(guest) { deliverToJoiner(guest) }
    }

    /// Delivers the next message to the inviter; returns whether there was one.
    @discardableResult package func deliverToInviter(_ guest: PairingGuest) -> Bool {
        guard !guest.toInviter.isEmpty else { return false }
        let message = guest.toInviter.removeFirst()
        record.append(message)
        hear(message, over: guest.channel, of: guest)
        return true
    }

    /// Delivers the next message to the joiner; returns whether there was one.
    @discardableResult package func deliverToJoiner(_ guest: PairingGuest) -> Bool {
        guard !guest.toJoiner.isEmpty else { return false }
        let message = guest.toJoiner.removeFirst()
        record.append(message)
        guest.hear(message)
        return true
    }

    /// Lets the inviter handle a message over a channel; its answers go to that guest.
    package func hear(_ message: PairingMessage, over channel: PairingChannel, of guest: PairingGuest?) {
        switch inviter.handleMessage(message, over: channel, now: now) {
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

    /// Admits the joiner, as the person does, or the program where nobody is asked.
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

    /// The keys that got certificates.
    package private(set) var grants: [PublicKey] = []

    /// Ends the invitation, because the person declines or it expires.
    package func stop(because refusal: PairingRefusal, telling guest: PairingGuest? = nil) {
        if let granted = inviter.granted { return end(.unknown(granted.joiner.device)) }
        if let refusal = inviter.end(because: refusal) { guest?.toJoiner.append(.refusal(refusal)) }
        end(.nobody(.cancelled))
    }

    /// Cuts a guest's connection, with all messages in transit.
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

    // MARK: Checking

    /// Returns a contradiction between what the inviter and the guests report and keep, or nil.
    package func contradiction() -> String? {
        let members = joiners.filter { $0.credentials != nil }.map(\.device)
        guard members.count <= 1 else { return "\(members.count) have joined" }
        switch ending {
        case .joined(let device) where members != [device]:
            return "the inviter reports that it joined, but it did not"
        case .nobody(let reason) where !members.isEmpty:
            return "a joiner has joined, but the inviter reports \(reason)"
        case .unknown(let device) where !(members.isEmpty || members == [device]):
            return "another joiner has joined"
        case nil where !members.isEmpty && grants.isEmpty: return "a joiner has joined without a grant"
        default: break
        }
        for guest in joiners where guest.credentials != nil && guest.host?.phrase != applicant?.phrase {
            return "the phrases differ"
        }
        return nil
    }
}
