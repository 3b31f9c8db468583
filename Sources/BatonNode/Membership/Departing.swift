import BatonCore
import BatonNetwork
import BatonSecurity

/// Tells other devices that this device leaves the account, and waits for a limited time until one of them has received
/// the message.
///
/// An owner revokes itself and its key, so that any remaining copies of them are useless. A device that is no owner
/// can't sign a revocation. Instead, it writes to its own record that it has left. Other devices then no longer wait
/// for it.
final class Departing {
    private let account: AccountCore
    private let devices: DeviceDirectory
    private let peers: Peers
    /// Called when the departure is over.
    ///
    /// It is then released, because it holds the account.
    private var then: (([DeviceIdentifier]) -> Void)?
    /// The devices that had refused this device before the departure began.
    private let refusing: Set<DeviceIdentifier>
    /// Whether there is a device that would accept the announcement.
    private let isNeeded: Bool
    private let deadline: MonotonicTime
    /// The timer for the next check.
    private let timer: OwnedTimer
    private var isOver: Bool { then == nil }

    /// The pause between two checks whether a device has received the message.
    ///
    /// The pause is short, because the checks run only for a few seconds.
    private static let pause = Duration.milliseconds(20)

    /// Prepares the departure.
    ///
    /// `then` is called once, with the devices that have received the message. There may be none.
    init(
        _ account: AccountCore, _ devices: DeviceDirectory, _ peers: Peers, isNeeded: Bool,
        then: @escaping ([DeviceIdentifier]) -> Void
    ) {
        self.account = account
        self.devices = devices
        self.peers = peers
        self.isNeeded = isNeeded
        self.then = then
        timer = OwnedTimer(on: account.loop)
        refusing = Set(peers.refusals.keys)
        deadline = account.loop.now + account.limits.leavingTime
        account.drive { $0.beginLeaving() }
    }

    func begin() {
        let own = account.credentials.device
        // If this device is no longer a member, the other devices ignore it. They need no announcement.
        guard isNeeded else { return end([]) }
        let said: (LocalFailure?) -> Void = { [self] failure in
            if let failure { account.log.warn("can't tell the other devices: \(failure)") }
            failure == nil ? look() : end([])
        }
        if let authority = account.credentials.ownerAuthority, !devices.ownerKeys(on: own).isEmpty {
            return devices.revoke(own, by: authority, then: said)
        }
        devices.changeOwn({ $0.left = .now }, then: said)
    }

    func stop() {
        then = nil
        timer.cancel()
    }

    private func look() {
        guard !isOver else { return }
        let told = peers.inStep.union(Set(peers.refusals.keys).subtracting(refusing))
        if !told.isEmpty || account.loop.now >= deadline { return end(told.sorted()) }
        timer.set(after: Self.pause) { [unowned self] in look() }
    }

    private func end(_ told: [DeviceIdentifier]) {
        then.take()?(told)
    }
}

/// Leaves the account when a person asks for it.
final class Leaving {
    private let account: AccountCore
    private let devices: DeviceDirectory
    private let peers: Peers
    /// The departure that is under way; nil if the device is not leaving.
    private var departing: Departing?

    init(_ account: AccountCore, _ devices: DeviceDirectory, _ peers: Peers) {
        self.account = account
        self.devices = devices
        self.peers = peers
    }

    func stop() { departing?.stop() }

    /// The other devices that belong to the account and have not left it.
    private var otherMembers: [DeviceIdentifier] {
        let membership = account.membership
        return membership.roster.members.filter { $0 != membership.own && membership.left($0) == nil }
    }

    /// Describes the consequences of leaving the account.
    var departure: Departure {
        let others = otherMembers
        let owners = others.filter { !devices.ownerKeys(on: $0).isEmpty }
        var departure = Departure(
            account: account.credentials.account,
            device: account.names.reference(account.credentials.device), folder: account.folder,
            isOwner: !devices.ownerKeys(on: account.credentials.device).isEmpty,
            others: others.map(account.name).sorted(),
            leavesOwner: !owners.isEmpty)
        departure.isOut = isOut
        return departure
    }

    /// Whether this device no longer belongs to the account.
    ///
    /// Either its own roster says so, or another device has refused it for this reason.
    ///
    /// If this device was revoked, it may learn that only from a refusal.
    private var isOut: Bool {
        account.membership.isRevoked(account.credentials.device)
            || peers.refusals.contains { $0.value.code == .notMember }
    }

    /// Tells the other devices that this device leaves the account.
    ///
    /// `then` gets the names of the devices that have received the message.
    func begin(then: @escaping ([String]) -> Void) throws(LocalFailure) {
        guard departing == nil else {
            throw LocalFailure(.failed, "This machine is already leaving the account.")
        }
        account.log.tell("leaving the account")
        let isNeeded = !isOut && !otherMembers.isEmpty
        let departing = Departing(account, devices, peers, isNeeded: isNeeded) { [account] told in
            then(told.map(account.name))
        }
        self.departing = departing
        departing.begin()
    }
}
