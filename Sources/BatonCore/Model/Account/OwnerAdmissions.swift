/// The devices that one owner admitted, in the order of their first admissions.
///
/// A thief of an owner's key can admit any number of devices. So only the first `Limits.ownerDevices` may be members.
/// For other devices, no certificates are kept, and only a limited number of their names is kept
/// (`Limits.ownerAdmissions` in all). A device's place in the order is decided by its earliest admission, so renewals
/// never move it back.
///
/// The members depend on the set of admissions, and not on the order in which the admissions arrived. A device may have
/// been dropped here. If the owner is revoked later and the revocation keeps that device, the device comes back when it
/// shows its certificate, or when its admission is read again (`Roster.sought`).
struct OwnerAdmissions: Equatable, Sendable {
    /// The devices in their order.
    private var places: [Place] = []
    /// The first admission of each device in `places`.
    private var firsts: [DeviceIdentifier: First] = [:]
    /// The certificates of each device that may be a member, sorted by their ends, the latest end first.
    private var certificates: [DeviceIdentifier: [Admission]] = [:]
    /// The devices that stay members although the owner was revoked; nil if the owner was not revoked.
    ///
    /// These devices are members even if they are not among the first `Limits.ownerDevices`.
    private(set) var kept: Set<DeviceIdentifier>?

    /// A device's earliest admission.
    ///
    /// If several admissions begin at the same time, it is the one with the smallest hash.
    private struct First: Comparable, Sendable {
        let time: WallTime
        let statement: RecordIdentity

        static func < (left: Self, right: Self) -> Bool {
            (left.time, left.statement) < (right.time, right.statement)
        }
    }

    /// A device's place in the order.
    private struct Place: Comparable, Sendable {
        let first: WallTime
        let device: DeviceIdentifier

        static func < (left: Self, right: Self) -> Bool {
            (left.first, left.device) < (right.first, right.device)
        }
    }

    // MARK: Commands

    /// Adds an admission; returns whether that changed anything.
    mutating func add(_ admission: Admission) -> Bool {
        let isMoved = place(
            admission.device, by: First(time: admission.begins, statement: admission.identity))
        guard isNamed(admission.device) else { return isMoved }
        var all = certificates[admission.device] ?? []
        let place = all.firstIndex { !$0.isRanked(before: admission) } ?? all.endIndex
        guard place < Limits.deviceAdmissions, place == all.endIndex || all[place] != admission else {
            return isMoved
        }
        all.insert(admission, at: place)
        certificates[admission.device] = Array(all.prefix(Limits.deviceAdmissions))
        return true
    }

    /// Revokes the owner; returns whether that changed anything.
    ///
    /// A device stays a member only if all revocations of the owner keep it.
    mutating func revoke(keeping devices: Set<DeviceIdentifier>) -> Bool {
        let left = kept?.intersection(devices) ?? devices
        guard left != kept else { return false }
        kept = left
        certificates = certificates.filter { isNamed($0.key) }
        return true
    }

    /// Gives a device its place in the order by an admission; returns whether that changed anything.
    private mutating func place(_ device: DeviceIdentifier, by admission: First) -> Bool {
        let place = Place(first: admission.time, device: device)
        if let first = firsts[device] {
            guard admission < first else { return false }
            places.remove(at: position(of: Place(first: first.time, device: device)))
        } else if isFull {
            // A kept device is never displaced by a later admission.
            guard let last = places.lastIndex(where: { !isKept($0.device) }),
                place < places[last] || isKept(device)
            else { return false }
            let dropped = places.remove(at: last).device
            (firsts[dropped], certificates[dropped]) = (nil, nil)
        }
        let position = position(of: place)
        places.insert(place, at: position)
        firsts[device] = admission
        if position < Limits.ownerDevices, places.count > Limits.ownerDevices {
            let passed = places[Limits.ownerDevices].device
            if !isNamed(passed) { certificates[passed] = nil }
        }
        return true
    }

    /// Returns the index of a place, or the index at which to insert the place if it is not there.
    private func position(of place: Place) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Queries

    /// Whether the owner's admission makes a device a member.
    func counts(_ device: DeviceIdentifier) -> Bool {
        guard firsts[device] != nil else { return false }
        return kept?.contains(device) ?? isAmongFirst(device)
    }

    private func isKept(_ device: DeviceIdentifier) -> Bool { kept?.contains(device) ?? false }

    /// The devices whose first admission has the owner's earliest time; at most `Limits.ownerDevices`.
    var first: [DeviceIdentifier] {
        places.prefix(Limits.ownerDevices).prefix { $0.first == places[0].first }.map(\.device)
    }

    /// Whether the owner admitted this device, and no other device before it.
    ///
    /// Several devices may have been admitted at the same time.
    func isFirst(_ device: DeviceIdentifier) -> Bool {
        firsts[device].map { $0.time == places.first?.first } ?? false
    }

    /// Whether the owner admitted a device, as far as is known here.
    func admits(_ device: DeviceIdentifier) -> Bool { firsts[device] != nil }

    /// Whether a device is among the first `Limits.ownerDevices`, or is kept although the owner was revoked.
    func isNamed(_ device: DeviceIdentifier) -> Bool {
        guard firsts[device] != nil else { return false }
        return isAmongFirst(device) || isKept(device)
    }

    /// The devices that the owner admitted, as far as they are known here.
    var devices: some Sequence<DeviceIdentifier> { firsts.keys }

    /// The statements that are kept: the first admission of each device, and the admissions in `certificates`.
    var statements: Set<RecordIdentity> {
        Set(firsts.values.map(\.statement)).union(certificates.values.joined().map(\.identity))
    }

    /// Whether another device would become a member if the owner admitted it now.
    var hasRoom: Bool { places.count < Limits.ownerDevices }

    /// Whether the owner admitted more devices than may be members.
    var hasSurplus: Bool { places.count > Limits.ownerDevices }

    /// Whether the owner may have admitted devices that are not known here.
    var isFull: Bool { places.count >= Limits.ownerAdmissions }

    /// The devices for which `isNamed(_:)` is true.
    var named: [DeviceIdentifier] {
        let first = places.prefix(Limits.ownerDevices).map(\.device)
        return first + (kept ?? []).filter { firsts[$0] != nil && !isAmongFirst($0) }
    }

    private func isAmongFirst(_ device: DeviceIdentifier) -> Bool {
        guard let first = firsts[device] else { return false }
        return places.count <= Limits.ownerDevices
            || Place(first: first.time, device: device) < places[Limits.ownerDevices]
    }

    /// Returns the certificates that are kept for a device.
    func certificates(of device: DeviceIdentifier) -> [Admission] { certificates[device] ?? [] }

    /// Sorts devices by the order in which the owner admitted them, and leaves out devices that are unknown here.
    func ordered(_ devices: [DeviceIdentifier]) -> [DeviceIdentifier] {
        devices.compactMap { device in firsts[device].map { Place(first: $0.time, device: device) } }.sorted()
            .map(\.device)
    }
}

extension Admission {
    /// Whether this admission is preferred to another one of the same device.
    ///
    /// The admission that ends later is preferred. If both end at the same time, it is the one that begins earlier, and
    /// then the one with the smaller statement.
    fileprivate func isRanked(before other: Admission) -> Bool {
        if ends != other.ends { return ends > other.ends }
        if begins != other.begins { return begins < other.begins }
        return statement.key.name.lexicographicallyPrecedes(other.statement.key.name)
    }
}
