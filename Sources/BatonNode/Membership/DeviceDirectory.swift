import BatonCore
import BatonSecurity

/// The devices of the account.
///
/// The directory shows, finds, revokes and renames devices for a person.
final class DeviceDirectory {
    private let account: AccountCore
    private let peers: Peers
    private let revocationKeeper: RevocationKeeper

    init(of account: AccountCore, _ peers: Peers, keeping revocationKeeper: RevocationKeeper) {
        self.account = account
        self.peers = peers
        self.revocationKeeper = revocationKeeper
    }

    /// Returns the name in a device's record; nil if the device has no record.
    func recorded(_ device: DeviceIdentifier) -> String? { record(of: device)?.name }

    private func record(of device: DeviceIdentifier) -> Device? { account.names.record(of: device) }

    private func name(of device: DeviceIdentifier) -> String { account.names.name(of: device) }

    /// Returns the name of an owner, which is the name of the device that has the owner's key.
    private func name(of owner: OwnerIdentifier) -> String {
        if account.credentials.ownerAuthority?.owner == owner { return name(of: account.credentials.device) }
        return claimants(of: owner).min().map(name) ?? owner.short
    }

    // MARK: Status

    /// The status of this device and of each other device, including devices without a record.
    var statuses: (own: DeviceStatus, others: [DeviceStatus]) {
        let others = account.names.devices.subtracting([account.credentials.device]).sorted()
        return (status(of: account.credentials.device), others.map(status))
    }

    /// Returns the status of a device.
    func status(of device: DeviceIdentifier) -> DeviceStatus {
        let admitted = record(of: device)?.admitted ?? firstAdmission(of: device)
        var status =
            device == account.credentials.device
            ? DeviceStatus(
                device: account.names.reference(device), admitted: admitted, isConnected: false,
                isInStep: true, seen: .now,
                addresses: [], trouble: nil)
            : peers.status(of: account.names.reference(device), admitted: admitted)
        status.isOwner = !ownerKeys(on: device).isEmpty
        status.removed = account.membership.left(device) ?? account.membership.removed(device)
        status.hasLeft = account.membership.left(device) != nil
        status.revocation = revocation(of: device)
        return status
    }

    /// Returns the owners whose keys a device has.
    ///
    /// Revoked owners are left out.
    ///
    /// The record of a stolen machine may hide its owner's key, or claim another machine's key. Then the revocation of
    /// the machine would spare its key, or revoke an innocent owner. Therefore, the roster says on which machines a key
    /// may have been made, and the records of devices decide only between these machines. The key of this device is on
    /// no other device.
    func ownerKeys(on device: DeviceIdentifier) -> [OwnerIdentifier] {
        let (roster, here) = (account.membership.roster, account.credentials.ownerAuthority?.owner)
        guard device != account.credentials.device else {
            return [here].compactMap(\.self).filter { !isRevoked($0) }
        }
        var owners = Set(roster.owners(madeOn: device))
        if let told = record(of: device)?.owner, roster.machines(of: told).isEmpty { owners.insert(told) }
        return owners.filter { owner in
            guard owner != here, !isRevoked(owner) else { return false }
            let claimants = claimants(of: owner)
            return claimants.isEmpty || claimants.contains(device)
        }.sorted()
    }

    /// Returns the devices whose records claim an owner's key.
    ///
    /// Only devices on which the key may have been made are considered.
    private func claimants(of owner: OwnerIdentifier) -> [DeviceIdentifier] {
        account.membership.roster.machines(of: owner).filter { record(of: $0)?.owner == owner }
    }

    private func isRevoked(_ owner: OwnerIdentifier) -> Bool {
        if case .revoked = account.membership.roster.standing(of: owner) { true } else { false }
    }

    /// Returns the time of a device's first admission, for a device without a record; 1970 if the time is unknown.
    private func firstAdmission(of device: DeviceIdentifier) -> WallTime {
        account.membership.roster.admissions(of: device, at: .now).map(\.begins).min()?
            .advanced(by: .seconds(Validity.backdating)) ?? WallTime(milliseconds: 0)
    }

    private func revocation(of device: DeviceIdentifier) -> DeviceStatus.Revoked? {
        switch account.membership.roster.standing(of: device) {
        case .member, .unknown, .unsettled, .surplus: return nil
        case .revoked(let note):
            return DeviceStatus.Revoked(date: note.date, revoker: name(of: note.owner), isOfOwner: false)
        case .undone(let owner):
            guard case .revoked(let note) = account.membership.roster.standing(of: owner) else {
                return nil
            }
            return DeviceStatus.Revoked(date: note.date, revoker: name(of: note.owner), isOfOwner: true)
        }
    }

    /// The owner's authority on this device.
    ///
    /// The result is nil if this device is no owner, or if the roster makes its signatures void.
    var countingAuthority: OwnerAuthority? {
        let own = account.credentials.device
        return ownerKeys(on: own).isEmpty || account.membership.isRevoked(own)
            ? nil : account.credentials.ownerAuthority
    }

    // MARK: Finding

    /// Finds a device by its whole identifier, its name, or the beginning of its identifier.
    ///
    /// A member is preferred to a device that was removed, has left or was revoked.
    func find(_ text: String) throws(LocalFailure) -> DeviceIdentifier {
        let found = matches(text)
        guard let device = found.first else {
            throw LocalFailure(
                .notFound, "No device has the name or ID “\(text)”.\nSee `baton devices`.")
        }
        guard found.count == 1 else {
            let all = found.map { "“\(account.names.recordedName(of: $0))” (\($0.short))" }.joined(
                separator: ", ")
            throw LocalFailure(.notFound, "“\(text)” matches \(all).\nName one by its ID.")
        }
        return device
    }

    private func matches(_ text: String) -> [DeviceIdentifier] {
        let devices = account.names.devices
        let beginning = text.lowercased()
        if let device = devices.first(where: { $0.description == beginning }) { return [device] }
        var named = devices.filter { account.names.recordedName(of: $0) == text || name(of: $0) == text }
        if named.isEmpty, !text.isEmpty {
            named = devices.filter { $0.description.hasPrefix(beginning) }
        }
        let nearest = named.map(distance).min()
        return named.filter { distance(of: $0) == nearest }.sorted()
    }

    /// Returns a number that is smallest for members.
    ///
    /// If several devices match a text, those with the smallest number are meant.
    private func distance(of device: DeviceIdentifier) -> Int {
        Self.distance(account.membership.departure(of: device))
    }

    private static func distance(_ departure: DeviceDeparture?) -> Int {
        switch departure {
        case nil: 0
        case .removed: 1
        case .left: 2
        case .revoked: 3
        }
    }

    // MARK: Changes

    /// Revokes a device, and the owners whose keys the device has.
    ///
    /// `then` is called once the revocation is stored, both in the database and in the files beside it, and would
    /// survive a power failure.
    ///
    /// All other devices stay members. However, if a revoked owner has admitted more devices than may be members, only
    /// those stay that this device has met. If only the files beside the database can't be written, the revocation is
    /// in force, and the files are written later.
    func revoke(
        _ device: DeviceIdentifier, by authority: OwnerAuthority, then: @escaping (LocalFailure?) -> Void
    ) {
        var revocations: [Journal.Draft] = []
        var admissions: [Journal.Draft] = []
        do throws(SecurityError) {
            let now = WallTime.now
            revocations.append(Journal.Draft(try authority.revoke(device, now: now)))
            for owner in ownerKeys(on: device) {
                let roster = account.membership.roster
                let met = account.machine.contacts.devices.union([account.credentials.device])
                let (kept, anew) = roster.leaving(revoking: owner, with: [device], met: met)
                // A statement that this owner signs after its own revocation does not count.
                guard anew.isEmpty || owner != authority.owner else {
                    return then(Self.tooManyToKeep(kept.count + anew.count))
                }
                for other in anew {
                    guard let admission = roster.newestAdmission(of: other, at: now) else { continue }
                    let made = try authority.readmit(admission.statement, now: now.seconds)
                    admissions.append(Journal.Draft(made.statement))
                }
                revocations.append(Journal.Draft(try authority.revoke(owner, kept: kept, now: now)))
            }
        } catch {
            return then(LocalFailure(.failed, "Nothing was revoked: \(error)"))
        }
        // Other devices are readmitted first. Otherwise, the revocation of their owner could exclude them for a while.
        publish(admissions) { [self] failure in
            if let failure { return then(Self.notKept(failure)) }
            publish(revocations) { [self] failure in
                if let failure { return then(Self.notKept(failure)) }
                revocationKeeper.keep(account.membership.revocations.keys) { then($0.map(Self.notKeptTwice)) }
            }
        }
    }

    private static func notKeptTwice(_ failure: StoreFailure) -> LocalFailure {
        LocalFailure(
            saving: "the revocation beside the database", failure,
            "The revocation is in force, and is written there once the disk allows it.")
    }

    private static func tooManyToKeep(_ count: Int) -> LocalFailure {
        LocalFailure(
            .notAllowed,
            """
            This machine admitted \(count) others, too many to keep if it revokes itself. Nothing was revoked.
            Type `baton revoke` on the machine of another owner.
            """)
    }

    private func publish(_ drafts: [Journal.Draft], then: @escaping (StoreFailure?) -> Void) {
        guard !drafts.isEmpty else { return then(nil) }
        account.publish(drafts, then: then)
    }

    /// Changes this device's own record.
    func changeOwn(_ change: (inout Device) -> Void, then: @escaping (LocalFailure?) -> Void) {
        let draft = account.drive { $0.ownRecord(changing: change) }
        account.publish([draft]) { [account] failure in
            account.drive { $0.handleOwnRecord(in: account) }
            then(failure.map(Self.notKept))
        }
    }

    private static func notKept(_ failure: StoreFailure) -> LocalFailure {
        LocalFailure(saving: "the change", failure, "Nothing has changed.")
    }
}
