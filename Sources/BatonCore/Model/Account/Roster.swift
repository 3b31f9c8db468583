/// Who belongs to the account: what a set of signed statements says.
///
/// The set only grows, and what it says depends on nothing else: on no order, no clock, nor on who told it. So all who
/// have the same statements say the same. Revocations never make anyone a member, and admissions undo none: a revoked
/// device stays revoked, also if who revoked it was revoked in turn. (Of two owners that revoke each other none is left;
/// whoever can make another owner can admit the devices again.)
package struct Roster: Equatable, Sendable {
    private var admissions: [DeviceIdentifier: Set<Admission>] = [:]
    private var revokedDevices: [DeviceIdentifier: Set<RevocationNote>] = [:]
    private var revokedOwners: [OwnerIdentifier: OwnerRevocations] = [:]
    /// All owners of whom a certificate was seen that counts.
    private var knownOwners: Set<OwnerIdentifier> = []

    /// What is said against one owner.
    private struct OwnerRevocations: Equatable, Sendable {
        var notes: Set<RevocationNote>
        /// The devices that every one of them keeps.
        var kept: Set<DeviceIdentifier>
    }

    package init() {}

    // MARK: Commands

    /// Takes a statement into account that holds; answers whether that is news.
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

    /// Takes a statement into account if it holds; answers whether it says something new.
    @discardableResult
    package mutating func add(_ statement: RosterStatement, by verifier: some StatementVerifier) -> Bool {
        verifier.verify(statement).map { add($0) } ?? false
    }

    // MARK: Who belongs to the account

    /// What is said of a device.
    package func standing(of device: DeviceIdentifier) -> DeviceStanding {
        if let note = revokedDevices[device]?.min() { return .revoked(note) }
        guard let all = admissions[device], let last = all.map(\.owner).min() else { return .unknown }
        return all.contains(where: counts) ? .member : .undone(admittedBy: last)
    }

    /// What is said of an owner.
    package func standing(of owner: OwnerIdentifier) -> OwnerStanding {
        if let note = revokedOwners[owner]?.notes.min() { return .revoked(note) }
        return knownOwners.contains(owner) ? .owner : .unknown
    }

    package func isMember(_ device: DeviceIdentifier) -> Bool { standing(of: device) == .member }

    /// The devices that belong to the account, in their order.
    package var members: [DeviceIdentifier] { admissions.keys.filter(isMember).sorted() }

    /// All devices that were ever admitted or revoked, in their order.
    package var devices: [DeviceIdentifier] {
        Set(admissions.keys).union(revokedDevices.keys).sorted()
    }

    /// Whether an admission is not undone: a revoked owner's counts only if all who revoked the owner keep the device.
    private func counts(_ admission: Admission) -> Bool {
        #if DEBUG
            if Faults.isPlanted(.keptListIgnored) { return true }
        #endif
        return revokedOwners[admission.owner]?.kept.contains(admission.device) ?? true
    }

    // MARK: Who admitted whom

    /// The owners by whose word a device is in, in their order.
    package func admitters(of device: DeviceIdentifier) -> [OwnerIdentifier] {
        Set((admissions[device] ?? []).filter(counts).map(\.owner)).sorted()
    }

    /// The devices that an owner admitted and that are members, in their order.
    package func members(admittedBy owner: OwnerIdentifier) -> [DeviceIdentifier] {
        members.filter { admitters(of: $0).contains(owner) }
    }

    /// Whether that very admission is known.
    package func contains(_ admission: Admission) -> Bool {
        admissions[admission.device]?.contains(admission) ?? false
    }

    /// The admission with whose certificates a device opens doors, if it is a member: of those that hold at that time
    /// the one that does so longest, and one by a revoked owner only if there is no other.
    ///
    /// (Who stole an owner's key may go on signing certificates for devices that stay, with whatever dates.)
    package func newestAdmission(of device: DeviceIdentifier, at time: WallTime) -> Admission? {
        admissions(of: device, at: time).first
    }

    /// All admissions of a member that count, the one to be shown first in front.
    ///
    /// A peer may know of more revocations than is known here, and let it in by another of them.
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

    /// What who revokes an owner is to do, so that all devices stay but the named ones: which are kept by the
    /// revocation, and which of the others are to be admitted anew before it, as the list has no room for them.
    package func leaving(
        revoking owner: OwnerIdentifier, with devices: Set<DeviceIdentifier> = []
    ) -> (kept: [DeviceIdentifier], anew: [DeviceIdentifier]) {
        let staying = members(admittedBy: owner).filter { !devices.contains($0) }
        guard staying.count > Revocation.keptMost else { return (staying, []) }
        // Whom another owner admitted, too, stays without being kept.
        let alone = staying.filter { admitters(of: $0) == [owner] }
        let others = staying.filter { admitters(of: $0) != [owner] }
        let kept = (alone + others).prefix(Revocation.keptMost)
        return (kept.sorted(), Array(alone.dropFirst(Revocation.keptMost)))
    }
}

/// What the roster says of a device.
package enum DeviceStanding: Hashable, Sendable {
    /// It belongs to the account.
    case member
    /// No owner ever admitted it, as far as is known here.
    case unknown
    /// It belongs to the account no longer, for ever.
    case revoked(RevocationNote)
    /// Whoever admitted it is revoked, and did so after that, or without being known to those who revoked: another
    /// owner can admit it.
    case undone(admittedBy: OwnerIdentifier)
}

/// What the roster says of an owner.
package enum OwnerStanding: Hashable, Sendable {
    /// It may admit and revoke.
    case owner
    /// Nothing is known of it here.
    case unknown
    /// It may not any more, for ever.
    case revoked(RevocationNote)
}
