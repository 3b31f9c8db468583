/// The membership of the account, derived from a set of signed statements.
///
/// The set only grows, and the result depends only on the set. It does not depend on the order of statements, on a
/// clock, or on the sender, so all devices with the same statements agree. A revocation never makes anyone a member,
/// and an admission never undoes a revocation. A revoked device stays revoked even if the owner who revoked it is
/// revoked later. (If two owners revoke each other, neither remains; a person who can make another owner can admit the
/// devices again.) At most `Limits.ownerDevices` of the devices that an owner admitted are members (`OwnerAdmissions`).
///
/// A thief of an owner's key can sign any number of statements. So statements without effect are not kept in memory:
/// they are skipped when the process starts (`SkippedStatement`). A device is not a member while there may be skipped
/// statements about it. It can become one when these statements have been read (`sought`).
package struct Roster: Equatable, Sendable {
    /// The admissions by each owner.
    ///
    /// An owner is listed if some statement has a valid certificate of it.
    private var admissions: [OwnerIdentifier: OwnerAdmissions] = [:]
    /// The revoked devices and owners, each with its earliest revocation.
    private var revokedDevices: [DeviceIdentifier: RevocationNote] = [:]
    private var revokedOwners: [OwnerIdentifier: RevocationNote] = [:]
    /// Whether statements were skipped.
    private var hasSkipped = false
    /// The devices whose skipped statements must be read now, because these statements may have an effect.
    package private(set) var sought: Set<DeviceIdentifier> = []

    package init() {}

    // MARK: Commands

    /// Adds a verified statement; returns whether it says something new.
    @discardableResult
    package mutating func add(_ statement: VerifiedStatement) -> Bool {
        switch statement {
        case .admission(let admission):
            let isNewOwner = noteOwner(admission.owner)
            let isNewDevice = hasSkipped && !isAdmitted(admission.device)
            let isNews = admissions[admission.owner, default: OwnerAdmissions()].add(admission)
            if isNewDevice, isAdmitted(admission.device) { sought.insert(admission.device) }
            return isNews || isNewOwner
        case .deviceRevocation(let device, let note):
            let isNewOwner = noteOwner(note.owner)
            return Self.keep(note, of: device, in: &revokedDevices) || isNewOwner
        case .ownerRevocation(let owner, let kept, let note):
            let areNewOwners = [noteOwner(owner), noteOwner(note.owner)].contains(true)
            let isEarlier = Self.keep(note, of: owner, in: &revokedOwners)
            let isNarrower = admissions[owner, default: OwnerAdmissions()].revoke(keeping: kept)
            if isNarrower, hasSkipped { sought.formUnion(keptUnknown(by: owner)) }
            return isEarlier || isNarrower || areNewOwners
        }
    }

    /// Notes that an owner exists; returns whether it was unknown.
    private mutating func noteOwner(_ owner: OwnerIdentifier) -> Bool {
        guard admissions[owner] == nil else { return false }
        admissions[owner] = OwnerAdmissions()
        return true
    }

    /// Keeps the earliest revocation of a device or owner; returns whether `note` is now the earliest.
    private static func keep<Subject>(
        _ note: RevocationNote, of subject: Subject, in notes: inout [Subject: RevocationNote]
    ) -> Bool {
        if let known = notes[subject], known <= note { return false }
        notes[subject] = note
        return true
    }

    /// Forgets the revocations of those of these devices that no owner admitted.
    ///
    /// The caller has already stored a note for each of these statements that it is skipped.
    ///
    /// After this call, any device may have skipped statements.
    package mutating func skip(revocationsOf devices: Set<DeviceIdentifier>) {
        hasSkipped = true
        for device in devices where !isAdmitted(device) { revokedDevices[device] = nil }
    }

    /// Called after all skipped statements about these devices were added.
    package mutating func settle(_ devices: Set<DeviceIdentifier>) { sought.subtract(devices) }

    /// Verifies a statement and adds it if it is valid; returns whether it says something new.
    @discardableResult
    package mutating func add(_ statement: RosterStatement, by verifier: some StatementVerifier) -> Bool {
        verifier.verify(statement).map { add($0) } ?? false
    }

    // MARK: Membership

    /// Returns whether a device belongs to the account, and if not, why not.
    package func standing(of device: DeviceIdentifier) -> DeviceStanding {
        if let note = revokedDevices[device] { return .revoked(note) }
        if sought.contains(device) { return .unsettled }
        let all = admissions.filter { $0.value.admits(device) }
        if all.values.contains(where: { $0.counts(device) }) { return .member }
        let surplus = all.filter { $0.value.kept == nil }.keys.min()
        return surplus.map(DeviceStanding.surplus) ?? all.keys.min().map(DeviceStanding.undone) ?? .unknown
    }

    /// Returns whether an owner is known here and may act.
    package func standing(of owner: OwnerIdentifier) -> OwnerStanding {
        if let note = revokedOwners[owner] { return .revoked(note) }
        return admissions[owner] == nil ? .unknown : .owner
    }

    package func isMember(_ device: DeviceIdentifier) -> Bool {
        revokedDevices[device] == nil && !sought.contains(device)
            && admissions.values.contains { $0.counts(device) }
    }

    /// Whether a device was a member and no longer is.
    package func hasEnded(_ device: DeviceIdentifier) -> Bool {
        switch standing(of: device) {
        case .revoked, .undone: true
        case .member, .unknown, .unsettled, .surplus: false
        }
    }

    /// Whether a device was ever admitted or revoked.
    ///
    /// A device that an owner admitted counts only if `OwnerAdmissions.isNamed(_:)` is true for it.
    package func names(_ device: DeviceIdentifier) -> Bool {
        revokedDevices[device] != nil || admissions.values.contains { $0.isNamed(device) }
    }

    /// The devices that belong to the account, sorted.
    package var members: [DeviceIdentifier] { devices.filter(isMember) }

    /// All devices that were ever admitted or revoked, sorted.
    ///
    /// For each owner, only the devices in `OwnerAdmissions.named` count as admitted.
    package var devices: [DeviceIdentifier] {
        admissions.values.reduce(into: Set(revokedDevices.keys)) { $0.formUnion($1.named) }.sorted()
    }

    // MARK: Admissions

    /// Returns the owners whose admission makes this device a member, sorted.
    package func admitters(of device: DeviceIdentifier) -> [OwnerIdentifier] {
        admissions.filter { $0.value.counts(device) }.keys.sorted()
    }

    /// Whether another device would become a member if this owner admitted it now.
    package func hasRoom(of owner: OwnerIdentifier) -> Bool { admissions[owner]?.hasRoom ?? true }

    /// Whether this exact admission is known.
    package func contains(_ admission: Admission) -> Bool {
        admissions[admission.owner]?.certificates(of: admission.device).contains(admission) ?? false
    }

    /// Returns the admission whose certificates a device should present, if it is a member.
    ///
    /// It is the admission that stays valid longest among those that are valid at `time`. An admission by a revoked
    /// owner is returned only if there is no other. (A thief of the owner's key could still sign certificates with any
    /// dates for devices that stay.)
    package func newestAdmission(of device: DeviceIdentifier, at time: WallTime) -> Admission? {
        admissions(of: device, at: time).first
    }

    /// Returns the name that a device had when it was admitted, even if it is no longer a member; nil if it was never
    /// admitted.
    package func admittedName(of device: DeviceIdentifier, at time: WallTime) -> String? {
        admissions.values.flatMap { $0.certificates(of: device) }
            .max { rank($0, at: time) < rank($1, at: time) }?.name
    }

    /// Returns all admissions that make a device a member, the preferred one first; none if it is not a member.
    ///
    /// A peer may know revocations that are unknown here. Then it may reject the first admission and accept a later
    /// one.
    package func admissions(of device: DeviceIdentifier, at time: WallTime) -> [Admission] {
        guard isMember(device) else { return [] }
        let all = admissions.values.filter { $0.counts(device) }.flatMap { $0.certificates(of: device) }
        return all.sorted { left, right in
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

    // MARK: The machines of owners

    /// Returns the owners whose keys may have been made on a device, sorted.
    ///
    /// An owner's certificate and the certificate of its own machine are made at the same time, so the machine is among
    /// the devices that the owner admitted first. A thief of the key can add devices to this group. The thief can't
    /// remove the machine, except by admitting more devices than are kept here.
    package func owners(madeOn device: DeviceIdentifier) -> [OwnerIdentifier] {
        let isHeld = isAdmitted(device)
        return admissions.filter { $0.value.isFirst(device) || !isHeld && $0.value.isFull }.keys.sorted()
    }

    /// Returns the devices on which an owner's key may have been made, according to the owner's admissions.
    package func machines(of owner: OwnerIdentifier) -> [DeviceIdentifier] { admissions[owner]?.first ?? [] }

    // MARK: Held statements

    /// Whether any owner is known here to have admitted a device.
    private func isAdmitted(_ device: DeviceIdentifier) -> Bool {
        admissions.values.contains { $0.admits(device) }
    }

    /// The devices that are known here to have been admitted by any owner.
    package var admitted: Set<DeviceIdentifier> {
        admissions.values.reduce(into: []) { $0.formUnion($1.devices) }
    }

    /// The devices that a revocation of an owner keeps, but that no owner is known here to have admitted.
    package var keptUnknown: Set<DeviceIdentifier> {
        admissions.keys.reduce(into: []) { $0.formUnion(keptUnknown(by: $1)) }
    }

    private func keptUnknown(by owner: OwnerIdentifier) -> Set<DeviceIdentifier> {
        (admissions[owner]?.kept ?? []).filter { !isAdmitted($0) && revokedDevices[$0] == nil }
    }

    /// The admissions that are kept in memory, as identities of their statements.
    package var heldAdmissions: Set<RecordIdentity> {
        admissions.values.reduce(into: []) { $0.formUnion($1.statements) }
    }

    /// The revoked devices that no owner admitted, without the first `Limits.strayRevocations` of each owner that
    /// revoked them.
    package var surplusStrays: Set<DeviceIdentifier> {
        let strays = revokedDevices.filter { !isAdmitted($0.key) }
        guard strays.count > Limits.strayRevocations else { return [] }
        return Dictionary(grouping: strays, by: \.value.owner).values.reduce(into: []) { surplus, strays in
            let ordered = strays.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            surplus.formUnion(ordered.dropFirst(Limits.strayRevocations).map(\.key))
        }
    }

    // MARK: Revoking an owner

    /// Returns how to revoke an owner so that all its devices except `devices` stay members.
    ///
    /// `kept` are the devices for the revocation's list. The list may have no room for some devices: these are in
    /// `anew`, and must be admitted again before the revocation.
    ///
    /// If the owner admitted more devices than may be members, its key was stolen, and most of these devices do not
    /// exist. Then only devices in `met` stay, even if they were displaced by others. Their admissions may be unknown
    /// here. Keeping a device that the owner never admitted has no effect.
    package func leaving(
        revoking owner: OwnerIdentifier, with devices: Set<DeviceIdentifier> = [],
        met: Set<DeviceIdentifier> = []
    ) -> (kept: [DeviceIdentifier], anew: [DeviceIdentifier]) {
        guard let all = admissions[owner] else { return ([], []) }
        let candidates =
            all.hasSurplus ? met.filter { mayHaveAdmitted($0, all) } : Set(all.named.filter(all.counts))
        let staying = candidates.filter { revokedDevices[$0] == nil && !devices.contains($0) }.sorted()
        guard staying.count > Revocation.keptMost else { return (staying, []) }
        // A device that another owner also admitted stays a member even if it is not in the list.
        let alone = staying.filter { admitters(of: $0).allSatisfy { $0 == owner } }
        let others = staying.filter { !alone.contains($0) }
        // Only a member can be admitted again, so devices that are not members come first in the list.
        let ordered = alone.filter { !isMember($0) } + all.ordered(alone.filter(isMember)) + others
        return (
            ordered.prefix(Revocation.keptMost).sorted(),
            Array(ordered.prefix(alone.count).dropFirst(Revocation.keptMost))
        )
    }

    /// Whether an owner may have admitted a device.
    ///
    /// The admission may have been dropped here.
    private func mayHaveAdmitted(_ device: DeviceIdentifier, _ all: OwnerAdmissions) -> Bool {
        all.admits(device) || all.isFull && !isMember(device)
    }
}

/// Whether a device belongs to the account, and if not, why not.
package enum DeviceStanding: Hashable, Sendable {
    /// The device belongs to the account.
    case member
    /// No owner ever admitted the device, as far as is known here.
    case unknown
    /// The device was admitted.
    ///
    /// Whether it was also revoked is unknown until its skipped statements are read.
    case unsettled
    /// The device was revoked, and can never belong to the account again.
    case revoked(RevocationNote)
    /// The owner that admitted the device was revoked, and the revocations do not keep the device.
    ///
    /// For example, the device was admitted later, or was unknown to the revoking owners. Another owner can admit it.
    case undone(admittedBy: OwnerIdentifier)
    /// The owner had already admitted the largest allowed number of devices when it admitted this one.
    case surplus(admittedBy: OwnerIdentifier)
}

/// Whether an owner may admit and revoke devices.
package enum OwnerStanding: Hashable, Sendable {
    /// The owner may admit and revoke.
    case owner
    /// Nothing is known of the owner here.
    case unknown
    /// The owner was revoked, and can never admit or revoke again.
    case revoked(RevocationNote)
}
