import BatonCore
import BatonSecurity

/// The devices of the account, as a person sees and names them.
extension AccountNode {
    /// Returns a device's identifier and name for a person.
    func reference(_ device: DeviceIdentifier) -> DeviceReference {
        DeviceReference(identifier: device, name: name(of: device), isHere: device == credentials.device)
    }

    /// The status of this device and of every other one, also of devices that have no record yet.
    var deviceStatus: (own: DeviceStatus, others: [DeviceStatus]) {
        let others = everyDevice.subtracting([credentials.device]).sorted()
        return (status(of: credentials.device), others.map(status))
    }

    /// Returns the status of a device.
    func status(of device: DeviceIdentifier) -> DeviceStatus {
        let admitted = devices[device]?.admitted ?? firstAdmission(of: device)
        var status =
            device == credentials.device
            ? DeviceStatus(
                device: reference(device), admitted: admitted, isConnected: false, isInStep: true, seen: .now,
                addresses: [], trouble: nil)
            : peers.status(of: reference(device), admitted: admitted)
        status.isOwner = ownerKey(on: device) != nil
        status.removed = membership.left(device) ?? membership.removed(device)
        status.hasLeft = membership.left(device) != nil
        status.revocation = revocation(of: device)
        return status
    }

    /// Returns the owner whose key a device has, if it has one that counts.
    ///
    /// Other devices are believed about their own keys, but not if one claims to have the key that is here.
    func ownerKey(on device: DeviceIdentifier) -> OwnerIdentifier? {
        let here = credentials.ownerAuthority?.owner
        let isHere = device == credentials.device
        guard let owner = isHere ? here : devices[device]?.owner, isHere || owner != here else { return nil }
        if case .revoked = membership.roster.standing(of: owner) { return nil }
        return owner
    }

    /// Returns when a device was let in, for use until it has a record that says so; 1970 if nothing is known.
    private func firstAdmission(of device: DeviceIdentifier) -> WallTime {
        membership.roster.admissions(of: device, at: .now).map(\.begins).min()?
            .advanced(by: .seconds(Validity.backdating)) ?? WallTime(milliseconds: 0)
    }

    private func revocation(of device: DeviceIdentifier) -> DeviceStatus.Revoked? {
        switch membership.roster.standing(of: device) {
        case .member, .unknown: return nil
        case .revoked(let note):
            return DeviceStatus.Revoked(date: note.date, revoker: name(of: note.owner), isOfOwner: false)
        case .undone(let owner):
            guard case .revoked(let note) = membership.roster.standing(of: owner) else {
                return nil
            }
            return DeviceStatus.Revoked(date: note.date, revoker: name(of: note.owner), isOfOwner: true)
        }
    }

    /// Returns the name of an owner, which is the name of the device that has its key.
    private func name(of owner: OwnerIdentifier) -> String {
        if credentials.ownerAuthority?.owner == owner { return name(of: credentials.device) }
        let devices = devices.values.filter { $0.owner == owner }.map(\.identifier)
        return devices.min().map(name) ?? owner.short
    }

    /// All devices that this node has ever heard of.
    var everyDevice: Set<DeviceIdentifier> {
        membership.known.union(devices.keys).union(peers.known)
    }

    /// Returns the devices of the account with this name that have not left it.
    func presentDevices(named name: String) -> [DeviceIdentifier] {
        if let presentNames { return presentNames[name] ?? [] }
        let present = everyDevice.filter { distance(of: $0) <= Self.distance(.removed) }.sorted()
        let names = Dictionary(grouping: present, by: recordedName)
        presentNames = names
        return names[name] ?? []
    }

    /// Finds a device by its whole identifier, its name, or the beginning of its identifier.
    ///
    /// A member comes before a device that was removed, has left or was revoked.
    func findDevice(_ text: String) throws(LocalFailure) -> DeviceIdentifier {
        let found = findDevices(text)
        guard let device = found.first else {
            throw LocalFailure(
                .notFound, "No device has the name or ID “\(text)”.\nSee `baton devices`.")
        }
        guard found.count == 1 else {
            let all = found.map { "“\(recordedName(of: $0))” (\($0.short))" }.joined(separator: ", ")
            throw LocalFailure(.notFound, "“\(text)” may mean \(all).\nName one by its ID.")
        }
        return device
    }

    private func findDevices(_ text: String) -> [DeviceIdentifier] {
        let (devices, beginning) = (everyDevice, text.lowercased())
        if let device = devices.first(where: { $0.description == beginning }) { return [device] }
        var named = devices.filter { recordedName(of: $0) == text || name(of: $0) == text }
        if named.isEmpty, !text.isEmpty {
            named = devices.filter { $0.description.hasPrefix(beginning) }
        }
        let nearest = named.map(distance).min()
        return named.filter { distance(of: $0) == nearest }.sorted()
    }

    /// Returns how far a device is from the account; if several devices match a text, the nearest one is meant.
    private func distance(of device: DeviceIdentifier) -> Int {
        Self.distance(membership.departure(of: device))
    }

    private static func distance(_ departure: DeviceDeparture?) -> Int {
        switch departure {
        case nil: 0
        case .removed: 1
        case .left: 2
        case .revoked: 3
        }
    }
}
