import BatonCore
import BatonNetwork
import BatonSecurity

/// This device says that it leaves the account, and waits until another has taken that, or for no longer than a while.
///
/// An owner revokes itself and its key, so that whatever copies of them there are open nothing. Another device can't
/// sign that; it says in its own record that it has left, which others take for what it is: nobody waits for it.
final class Departing {
    private unowned let account: AccountNode
    /// Who waits for the end; let go then, as it holds the account.
    private var then: (([DeviceIdentifier]) -> Void)?
    /// Who had refused this device already.
    private let refusing: Set<DeviceIdentifier>
    private let deadline: MonotonicTime
    /// Set until the next look.
    private let timer: OwnedTimer
    private var isOver: Bool { then == nil }

    /// How long is waited between two looks at who has taken it; that is done for some seconds in a device's life.
    private static let pause = Duration.milliseconds(20)

    /// Begins; `then` hears once who has taken it, which may be nobody.
    init(_ account: AccountNode, then: @escaping ([DeviceIdentifier]) -> Void) {
        (self.account, self.then, timer) = (account, then, OwnedTimer(on: account.loop))
        refusing = Set(account.peers.refusals.keys)
        deadline = account.loop.now + account.limits.leavingTime
        account.account.isLeaving = true
    }

    func begin() {
        let own = account.credentials.device
        // Who is no member any more is not listened to, and need not be.
        guard !account.isOut, !account.otherMembers.isEmpty else { return end([]) }
        let said: (LocalFailure?) -> Void = { [self] failure in
            if let failure { account.log.warn("the others can't be told: \(failure)") }
            failure == nil ? look() : end([])
        }
        if let authority = account.credentials.ownerAuthority, account.ownerKey(on: own) != nil {
            return account.revoke(own, by: authority, then: said)
        }
        let gone = Device(
            identifier: own, name: account.recordedName(of: own), admitted: .now, left: .now)
        account.change(gone, { Device.draft(left: .now, in: $0) }, then: said)
    }

    func stop() {
        then = nil
        timer.cancel()
    }

    private func look() {
        guard !isOver else { return }
        let told = account.peers.inStep.union(Set(account.peers.refusals.keys).subtracting(refusing))
        if !told.isEmpty || account.loop.now >= deadline { return end(told.sorted()) }
        timer.set(after: Self.pause) { [unowned self] in look() }
    }

    private func end(_ told: [DeviceIdentifier]) {
        then.take()?(told)
    }
}

extension AccountNode {
    /// The other devices that belong to the account and have not left it.
    var otherMembers: [DeviceIdentifier] {
        let membership = membership
        return membership.roster.members.filter { $0 != membership.own && membership.left($0) == nil }
    }

    /// What leaving would mean.
    var departure: Departure {
        let others = otherMembers
        let owners = others.filter { ownerKey(on: $0) != nil }
        var departure = Departure(
            account: credentials.account, device: reference(credentials.device), folder: folder,
            isOwner: ownerKey(on: credentials.device) != nil, others: others.map(name).sorted(),
            leavesOwner: !owners.isEmpty)
        departure.isOut = isOut
        return departure
    }

    /// Whether this device does not belong to the account any more, as it knows itself, or as another one says.
    ///
    /// Nobody tells a revoked device of it but by not letting it in.
    var isOut: Bool {
        isRevoked(credentials.device) || peers.refusals.contains { $0.value.code == .notMember }
    }

    /// Leaves the account: tells the others, then ends on this node and deletes what is here.
    func leave(then: @escaping (Result<Departure, LocalFailure>) -> Void) {
        guard departing == nil else {
            return then(.failure(LocalFailure(.failed, "This machine is leaving the account already.")))
        }
        var departure = departure
        log.tell("this device leaves the account")
        let departing = Departing(self) { [self] told in
            departure.told = told.map(name)
            ending { result in
                then(
                    result.map { remains in
                        departure.remains = remains; return departure
                    })
            }
        }
        self.departing = departing
        departing.begin()
    }
}
