/// The membership of the account, derived from a set of signed statements.
///
/// The set only grows, and the result depends only on the set: not on the order of statements, a clock, or the sender.
/// So all devices with the same statements agree. Revocations never make anyone a member, and admissions undo no
/// revocation: a revoked device stays revoked, even if its revoker was revoked in turn. (If two owners revoke each
/// other, neither is left; a person who can make another owner can admit the devices again.)
package struct Roster: Equatable, Sendable {
    private var admissions: [DeviceIdentifier: Set<Admission>] = [:]
    private var revokedDevices: [DeviceIdentifier: Set<RevocationNote>] = [:]
    private var revokedOwners: [OwnerIdentifier: OwnerRevocations] = [:]
    /// All owners with a valid certificate in some statement.
    private var knownOwners: Set<OwnerIdentifier> = []

    /// The revocations of one owner.
    private struct OwnerRevocations: Equatable, Sendable {
        var notes: Set<RevocationNote>
        /// The devices that all of the revocations keep.
        var kept: Set<DeviceIdentifier>
    }

    package init() {}

    // MARK: Commands

    /// Adds a verified statement; returns whether it is news.
    @discardableResult
    package mutating func add(_ statement: VerifiedStatement) -> Bool {
        let before = knownOwners.count
        switch statement {
        case .admission(let admission):
            knownOwners.insert(admission.owner)
            return admissions[admission.device, default: []].insert(admission).inserted
        case .deviceRevocation(let device, let note):
            knownOwners.insert(note.owner)
            return revokedDevices[device, default: []].insert(note).inserted || knownOwners.count > before
        case .ownerRevocation(let owner, let kept, let note):
            knownOwners.formUnion([owner, note.owner])
            var all = revokedOwners[owner] ?? OwnerRevocations(notes: [], kept: kept)
            all.notes.insert(note)
            all.kept.formIntersection(kept)
            guard all != revokedOwners[owner] else { return false }
            revokedOwners[owner] = all
            return true
        }
    }

    /// Verifies a statement and adds it if it is valid; returns whether it says something new.
    @discardableResult
    package mutating func add(_ statement: RosterStatement, by verifier: some StatementVerifier) -> Bool {
        verifier.verify(statement).map { add($0) } ?? false
    }

    // MARK: Membership

    /// Returns the standing of a device.
    package func standing(of device: DeviceIdentifier) -> DeviceStanding {
        if let note = revokedDevices[device]?.min() { return .revoked(note) }
        guard let all = admissions[device], let last = all.map(\.owner).min() else { return .unknown }
        return all.contains(where: counts) ? .member : .undone(admittedBy: last)
    }

    /// Returns the standing of an owner.
    package func standing(of owner: OwnerIdentifier) -> OwnerStanding {
        if let note = revokedOwners[owner]?.notes.min() { return .revoked(note) }
        return knownOwners.contains(owner) ? .owner : .unknown
    }

    package func isMember(_ device: DeviceIdentifier) -> Bool {
        !isRevoked(device) && admissions[device]?.contains(where: counts) ?? false
    }

    /// Whether a device was a member, and is none any more.
    package func hasEnded(_ device: DeviceIdentifier) -> Bool {
        if isRevoked(device) { return true }
        guard let all = admissions[device], !all.isEmpty else { return false }
        return !all.contains(where: counts)
    }

    /// Whether a device was ever admitted or revoked.
    package func names(_ device: DeviceIdentifier) -> Bool {
        admissions[device] != nil || revokedDevices[device] != nil
    }

    private func isRevoked(_ device: DeviceIdentifier) -> Bool {
        revokedDevices[device].map { !$0.isEmpty } ?? false
    }

    /// The devices that belong to the account, sorted.
    package var members: [DeviceIdentifier] { admissions.keys.filter(isMember).sorted() }

    /// All devices that were ever admitted or revoked, sorted.
    package var devices: [DeviceIdentifier] {
        Set(admissions.keys).union(revokedDevices.keys).sorted()
    }

    /// Whether an admission counts: a revoked owner's only counts if all revocations of the owner keep the device.
    private func counts(_ admission: Admission) -> Bool {
        #if DEBUG
            if Faults.isPlanted(.keptListIgnored) { return true }
        #endif
        return revokedOwners[admission.owner]?.kept.contains(admission.device) ?? true
    }

    // MARK: Admissions

    /// Returns the owners whose admissions of a device count, sorted.
    package func admitters(of device: DeviceIdentifier) -> [OwnerIdentifier] {
        Set((admissions[device] ?? []).filter(counts).map(\.owner)).sorted()
    }

    /// Returns the members that an owner admitted, sorted.
    package func members(admittedBy owner: OwnerIdentifier) -> [DeviceIdentifier] {
        members.filter { admitters(of: $0).contains(owner) }
    }

    /// Whether this exact admission is known.
    package func contains(_ admission: Admission) -> Bool {
        admissions[admission.device]?.contains(admission) ?? false
    }

    /// Returns the admission whose certificates a device should present, if it is a member.
    ///
    /// Among the admissions that are valid at that time it is the one that stays valid longest; one by a revoked owner
    /// is returned only if there is no other. (The thief of an owner's key may go on signing certificates with any
    /// dates for devices that stay.)
    package func newestAdmission(of device: DeviceIdentifier, at time: WallTime) -> Admission? {
        admissions(of: device, at: time).first
    }

    /// Returns the name under which a device was admitted, also if it is no member any more; nil if it never was.
    package func admittedName(of device: DeviceIdentifier, at time: WallTime) -> String? {
        admissions[device]?.max { rank($0, at: time) < rank($1, at: time) }?.name
    }

    /// Returns all admissions of a member that count, the preferred one first.
    ///
    /// A peer may know of more revocations than this device does, and accept another of the admissions.
    package func admissions(of device: DeviceIdentifier, at time: WallTime) -> [Admission] {
        guard isMember(device) else { return [] }
        return (admissions[device] ?? []).filter(counts).sorted { left, right in
            let (mine, other) = (rank(left, at: time), rank(right, at: time))
            return mine == other
                ? right.statement.key.name.lexicographicallyPrecedes(left.statement.key.name) : mine > other
        }
    }

    private func rank(_ admission: Admission, at time: WallTime) -> (Int, Int, WallTime, WallTime) {
        (
            admission.holds(at: time) ? 1 : 0, revokedOwners[admission.owner] == nil ? 1 : 0, admission.ends,
            admission.begins
        )
    }

    // MARK: Revoking an owner

    /// Returns the steps by which an owner is revoked so that all devices but the named ones stay: the devices that the
    /// revocation keeps, and the devices to admit again before it because its list has no room for them.
    package func leaving(
        revoking owner: OwnerIdentifier, with devices: Set<DeviceIdentifier> = []
    ) -> (kept: [DeviceIdentifier], anew: [DeviceIdentifier]) {
        let staying = members(admittedBy: owner).filter { !devices.contains($0) }
        guard staying.count > Revocation.keptMost else { return (staying, []) }
        // Devices that another owner also admitted stay without being kept.
        let alone = staying.filter { admitters(of: $0) == [owner] }
        let others = staying.filter { admitters(of: $0) != [owner] }
        let kept = (alone + others).prefix(Revocation.keptMost)
        return (kept.sorted(), Array(alone.dropFirst(Revocation.keptMost)))
    }
}

/// A device's standing in the roster.
package enum DeviceStanding: Hashable, Sendable {
    /// The device belongs to the account.
    case member
    /// No owner ever admitted the device, as far as is known here.
    case unknown
    /// The device no longer belongs to the account, forever.
    case revoked(RevocationNote)
    /// Its admitter is revoked, and the revocations do not keep the device, for instance because it was admitted later
    /// or was unknown to the revokers; another owner can admit it.
    case undone(admittedBy: OwnerIdentifier)
}

/// An owner's standing in the roster.
package enum OwnerStanding: Hashable, Sendable {
    /// The owner may admit and revoke.
    case owner
    /// Nothing is known of the owner here.
    case unknown
    /// The owner may no longer admit or revoke, forever.
    case revoked(RevocationNote)
}
