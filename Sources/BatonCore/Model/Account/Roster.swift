/// The membership of the account, derived from a set of signed statements.
///
/// The set only grows, and the result depends only on the set: not on the order of statements, a clock, or the sender.
/// So all devices with the same statements agree. Revocations never make anyone a member, and admissions undo no
/// revocation: a revoked device stays revoked, even if its revoker was revoked in turn. (If two owners revoke each
/// other, neither is left; a person who can make another owner can admit the devices again.) At most
/// `Limits.ownerDevices` of each owner's devices are members (`OwnerAdmissions`).
///
/// The thief of an owner's key can sign any number of statements. So statements without effect are not kept in memory:
/// they are skipped when a process begins (`SkippedStatement`), and a device about which there may be skipped
/// statements is not a member until these statements are read (`sought`).
package struct Roster: Equatable, Sendable {
    /// The admissions by each owner with a valid certificate in some statement.
    private var admissions: [OwnerIdentifier: OwnerAdmissions] = [:]
    /// The revoked devices and owners, each with the earliest of its revocations.
    private var revokedDevices: [DeviceIdentifier: RevocationNote] = [:]
    private var revokedOwners: [OwnerIdentifier: RevocationNote] = [:]
    /// Whether statements were skipped.
    private var hasSkipped = false
    /// The devices whose skipped statements must be read, because they may have an effect now.
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

    /// Keeps the earliest revocation of a device or owner; returns whether `note` is the earliest.
    private static func keep<Subject>(
        _ note: RevocationNote, of subject: Subject, in notes: inout [Subject: RevocationNote]
    ) -> Bool {
        if let known = notes[subject], known <= note { return false }
        notes[subject] = note
        return true
    }

    /// Forgets the revocations of these devices, except of devices that an owner admitted; called once the store has
    /// noted that these statements are skipped.
    ///
    /// From then on, any device may have skipped statements.
    package mutating func skip(revocationsOf devices: Set<DeviceIdentifier>) {
        hasSkipped = true
        for device in devices where !isAdmitted(device) { revokedDevices[device] = nil }
    }

    /// Called when all skipped statements about these devices were added.
    package mutating func settle(_ devices: Set<DeviceIdentifier>) { sought.subtract(devices) }

    /// Verifies a statement and adds it if it is valid; returns whether it says something new.
    @discardableResult
    package mutating func add(_ statement: RosterStatement, by verifier: some StatementVerifier) -> Bool {
        verifier.verify(statement).map { add($0) } ?? false
    }

    // MARK: Membership

    /// Returns the standing of a device.
    package func standing(of device: DeviceIdentifier) -> DeviceStanding {
        if let note = revokedDevices[device] { return .revoked(note) }
        if sought.contains(device) { return .unsettled }
        let all = admissions.filter { $0.value.admits(device) }
        if all.values.contains(where: { $0.counts(device) }) { return .member }
        let surplus = all.filter { $0.value.kept == nil }.keys.min()
        return surplus.map(DeviceStanding.surplus) ?? all.keys.min().map(DeviceStanding.undone) ?? .unknown
    }

    /// Returns the standing of an owner.
    package func standing(of owner: OwnerIdentifier) -> OwnerStanding {
        if let note = revokedOwners[owner] { return .revoked(note) }
        return admissions[owner] == nil ? .unknown : .owner
    }

    package func isMember(_ device: DeviceIdentifier) -> Bool {
        revokedDevices[device] == nil && !sought.contains(device)
            && admissions.values.contains { $0.counts(device) }
    }

    /// Whether a device was a member, and no longer is.
    package func hasEnded(_ device: DeviceIdentifier) -> Bool {
        switch standing(of: device) {
        case .revoked, .undone: true
        case .member, .unknown, .unsettled, .surplus: false
        }
    }

    /// Whether a device was ever admitted or revoked; of an owner's admissions only the named ones count
    /// (`OwnerAdmissions.isNamed(_:)`).
    package func names(_ device: DeviceIdentifier) -> Bool {
        revokedDevices[device] != nil || admissions.values.contains { $0.isNamed(device) }
    }

    /// The devices that belong to the account, sorted.
    package var members: [DeviceIdentifier] { devices.filter(isMember) }

    /// All devices that were ever admitted or revoked, sorted; of an owner's admissions only the named ones count
    /// (`OwnerAdmissions.named`).
    package var devices: [DeviceIdentifier] {
        admissions.values.reduce(into: Set(revokedDevices.keys)) { $0.formUnion($1.named) }.sorted()
    }

    // MARK: Admissions

    /// Returns the owners whose admissions of a device count, sorted.
    package func admitters(of device: DeviceIdentifier) -> [OwnerIdentifier] {
        admissions.filter { $0.value.counts(device) }.keys.sorted()
    }

    /// Whether one more device that an owner admits would be a member.
    package func hasRoom(of owner: OwnerIdentifier) -> Bool { admissions[owner]?.hasRoom ?? true }

    /// Whether this exact admission is known.
    package func contains(_ admission: Admission) -> Bool {
        admissions[admission.owner]?.certificates(of: admission.device).contains(admission) ?? false
    }

    /// Returns the admission whose certificates a device should present, if it is a member.
    ///
    /// Among the admissions that are valid at that time, it is the admission that stays valid longest; an admission by
    /// a revoked owner is returned only if there is no other. (The thief of an owner's key may go on signing
    /// certificates with any dates for devices that stay.)
    package func newestAdmission(of device: DeviceIdentifier, at time: WallTime) -> Admission? {
        admissions(of: device, at: time).first
    }

    /// Returns the name under which a device was admitted, even if it is no longer a member; nil if it was never
    /// admitted.
    package func admittedName(of device: DeviceIdentifier, at time: WallTime) -> String? {
        admissions.values.flatMap { $0.certificates(of: device) }
            .max { rank($0, at: time) < rank($1, at: time) }?.name
    }

    /// Returns all admissions of a member that count, the preferred one first.
    ///
    /// A peer may know more revocations, and then accept only an admission that comes later in this list.
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
    /// An owner's certificate and the certificate of its own machine are made together, so the machine is among the
    /// devices that the owner admitted first. A thief of the key can add devices to these, but can't remove the
    /// machine, unless the thief admits more devices than are kept here.
    package func owners(madeOn device: DeviceIdentifier) -> [OwnerIdentifier] {
        let isHeld = isAdmitted(device)
        return admissions.filter { $0.value.isFirst(device) || !isHeld && $0.value.isFull }.keys.sorted()
    }

    /// Returns the devices on which an owner's key may have been made, as far as its admissions say.
    package func machines(of owner: OwnerIdentifier) -> [DeviceIdentifier] { admissions[owner]?.first ?? [] }

    // MARK: Held statements

    /// Whether some owner admitted a device, as far as is known here.
    private func isAdmitted(_ device: DeviceIdentifier) -> Bool {
        admissions.values.contains { $0.admits(device) }
    }

    /// The devices that owners admitted, as far as is known here.
    package var admitted: Set<DeviceIdentifier> {
        admissions.values.reduce(into: []) { $0.formUnion($1.devices) }
    }

    /// The devices that revocations of owners keep, but that no owner admitted as far as is known here.
    package var keptUnknown: Set<DeviceIdentifier> {
        admissions.keys.reduce(into: []) { $0.formUnion(keptUnknown(by: $1)) }
    }

    private func keptUnknown(by owner: OwnerIdentifier) -> Set<DeviceIdentifier> {
        (admissions[owner]?.kept ?? []).filter { !isAdmitted($0) && revokedDevices[$0] == nil }
    }

    /// The statements of admissions that are kept in memory.
    package var heldAdmissions: Set<RecordIdentity> {
        admissions.values.reduce(into: []) { $0.formUnion($1.statements) }
    }

    /// The revoked devices that no owner admitted, beyond the first `Limits.strayRevocations` of each revoking owner.
    package var surplusStrays: Set<DeviceIdentifier> {
        let strays = revokedDevices.filter { !isAdmitted($0.key) }
        guard strays.count > Limits.strayRevocations else { return [] }
        return Dictionary(grouping: strays, by: \.value.owner).values.reduce(into: []) { surplus, strays in
            let ordered = strays.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            surplus.formUnion(ordered.dropFirst(Limits.strayRevocations).map(\.key))
        }
    }

    // MARK: Revoking an owner

    /// Returns the steps of revoking an owner so that all its devices except `devices` stay members: `kept` are the
    /// devices in the revocation's list, and `anew` are the devices to admit again before it, because the list has no
    /// room for them.
    ///
    /// If the owner admitted more devices than may be members, its key was stolen, and most of these devices do not
    /// exist. Then only devices in `met` stay, even if they were displaced. Their admissions need not be known here;
    /// keeping a device that the owner never admitted changes nothing.
    package func leaving(
        revoking owner: OwnerIdentifier, with devices: Set<DeviceIdentifier> = [],
        met: Set<DeviceIdentifier> = []
    ) -> (kept: [DeviceIdentifier], anew: [DeviceIdentifier]) {
        guard let all = admissions[owner] else { return ([], []) }
        let candidates =
            all.hasSurplus ? met.filter { mayHaveAdmitted($0, all) } : Set(all.named.filter(all.counts))
        let staying = candidates.filter { revokedDevices[$0] == nil && !devices.contains($0) }.sorted()
        guard staying.count > Revocation.keptMost else { return (staying, []) }
        // Devices that another owner also admitted stay without being kept.
        let alone = staying.filter { admitters(of: $0).allSatisfy { $0 == owner } }
        let others = staying.filter { !alone.contains($0) }
        // Only a member can be admitted again, so devices that are not members come first in the list.
        let ordered = alone.filter { !isMember($0) } + all.ordered(alone.filter(isMember)) + others
        return (
            ordered.prefix(Revocation.keptMost).sorted(),
            Array(ordered.prefix(alone.count).dropFirst(Revocation.keptMost))
        )
    }

    /// Whether an owner may have admitted a device; the admission may have been dropped here.
    private func mayHaveAdmitted(_ device: DeviceIdentifier, _ all: OwnerAdmissions) -> Bool {
        all.admits(device) || all.isFull && !isMember(device)
    }
}

/// A device's standing in the roster.
package enum DeviceStanding: Hashable, Sendable {
    /// The device belongs to the account.
    case member
    /// No owner ever admitted the device, as far as is known here.
    case unknown
    /// The device was admitted, but whether it was revoked is unknown until skipped statements are read.
    case unsettled
    /// The device was revoked, and can never belong to the account again.
    case revoked(RevocationNote)
    /// The owner that admitted the device is revoked, and the revocations do not keep the device, for instance because
    /// it was admitted later or was unknown to the revokers; another owner can admit it.
    case undone(admittedBy: OwnerIdentifier)
    /// The owner that admitted the device had admitted the largest allowed number of devices before it.
    case surplus(admittedBy: OwnerIdentifier)
}

/// An owner's standing in the roster.
package enum OwnerStanding: Hashable, Sendable {
    /// The owner may admit and revoke.
    case owner
    /// Nothing is known of the owner here.
    case unknown
    /// The owner was revoked, and can never admit or revoke again.
    case revoked(RevocationNote)
}
