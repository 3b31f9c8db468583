import BatonCore
import BatonSecurity

/// The names of the account's devices, as a person sees them.
final class DeviceNames {
    private unowned let account: AccountCore
    /// The devices that have ever connected, or that another device named, with the names that were given.
    private var metNames: [DeviceIdentifier: String] = [:]
    /// The devices that have not left the account, by their names; nil until they are needed.
    private var presentNames: [String: [DeviceIdentifier]]?
    /// The names that a person sees, cached for the devices that have a record.
    private var shownNames: [DeviceIdentifier: String] = [:]

    init(of account: AccountCore) { self.account = account }

    /// Clears the cached names; called when the set of present devices or the name of one has changed.
    func forget() { (presentNames, shownNames) = (nil, [:]) }

    /// Records the name that a device gave when it connected, or that another device gave for it.
    func meet(_ device: DeviceIdentifier, as name: String) { metNames[device] = name }

    /// The devices that have ever connected, or that another device named.
    var met: Set<DeviceIdentifier> { Set(metNames.keys) }

    /// All devices that this node has ever heard of.
    var devices: Set<DeviceIdentifier> { account.membership.known.union(metNames.keys) }

    /// Returns what a device says about itself; nil if it has no record.
    func record(of device: DeviceIdentifier) -> Device? { account.membership.device(device) }

    /// Returns the name of a device, with part of its identifier if others have the same name.
    func name(of device: DeviceIdentifier) -> String {
        if let shown = shownNames[device] { return shown }
        let name = recordedName(of: device)
        let isShared = present(named: name).contains { $0 != device }
        let shown = isShared ? "\(name) (\(device.short))" : name
        if record(of: device) != nil { shownNames[device] = shown }
        return shown
    }

    /// Returns the name of a device from its record, or else the one in its certificate, or what others call it.
    ///
    /// Any member can claim any name for a device, so the names that others give come last.
    func recordedName(of device: DeviceIdentifier) -> String {
        if let name = record(of: device)?.name { return name }
        if device == account.credentials.device { return account.credentials.deviceName }
        let admitted = account.membership.roster.admittedName(of: device, at: .now) ?? ""
        return admitted.isEmpty ? metNames[device] ?? device.short : admitted
    }

    /// Returns a device's identifier and name for a person.
    func reference(_ device: DeviceIdentifier) -> DeviceReference {
        DeviceReference(
            identifier: device, name: name(of: device), isHere: device == account.credentials.device)
    }

    /// Returns the device on which a life began; nil if it is unknown, or if several devices have the tag of the life.
    func device(of life: Life) -> DeviceIdentifier? {
        let devices = devices.union([account.credentials.device]).filter(life.isOf)
        return devices.count == 1 ? devices.first : nil
    }

    /// Returns the devices with this name that have not left the account.
    func present(named name: String) -> [DeviceIdentifier] {
        if let presentNames { return presentNames[name] ?? [] }
        let present = devices.filter { device in
            switch account.membership.departure(of: device) {
            case nil, .removed: true
            case .left, .revoked: false
            }
        }.sorted()
        let names = Dictionary(grouping: present, by: recordedName)
        presentNames = names
        return names[name] ?? []
    }
}
