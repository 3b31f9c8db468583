import BatonCore
import BatonSecurity

/// The names of the account's devices, as a person sees them.
final class DeviceNames {
    private unowned let account: AccountCore
    /// The names of devices that have connected or that another device named.
    ///
    /// The names are those that were given then.
    private var metNames: [DeviceIdentifier: String] = [:]
    /// The devices that have not left the account, grouped by name; nil until they are needed.
    private var presentNames: [String: [DeviceIdentifier]]?
    /// A cache of the names that a person sees.
    ///
    /// It contains only devices that have a record.
    private var shownNames: [DeviceIdentifier: String] = [:]

    init(of account: AccountCore) { self.account = account }

    /// Clears the cached names.
    ///
    /// Called when the set of present devices has changed, or the name of a device.
    func forget() { (presentNames, shownNames) = (nil, [:]) }

    /// Records a device's name, which the device gave when it connected, or which another device gave.
    func meet(_ device: DeviceIdentifier, as name: String) { metNames[device] = name }

    /// The devices that have connected, or that another device named.
    var met: Set<DeviceIdentifier> { Set(metNames.keys) }

    /// All devices that this node has ever heard of.
    var devices: Set<DeviceIdentifier> { account.membership.known.union(metNames.keys) }

    /// Returns the record in which a device describes itself; nil if the device has no record.
    func record(of device: DeviceIdentifier) -> Device? { account.membership.device(device) }

    /// Returns the name of a device.
    ///
    /// If other devices have the same name, part of the device's identifier follows.
    func name(of device: DeviceIdentifier) -> String {
        if let shown = shownNames[device] { return shown }
        let name = recordedName(of: device)
        let isShared = present(named: name).contains { $0 != device }
        let shown = isShared ? "\(name) (\(device.short))" : name
        if record(of: device) != nil { shownNames[device] = shown }
        return shown
    }

    /// Returns the name in a device's record, or else the name in its admission, or else the name that another device
    /// gave.
    ///
    /// Any member can claim any name for another device. Therefore, names from other devices are used last.
    func recordedName(of device: DeviceIdentifier) -> String {
        if let name = record(of: device)?.name { return name }
        if device == account.credentials.device { return account.credentials.deviceName }
        let admitted = account.membership.roster.admittedName(of: device, at: .now) ?? ""
        return admitted.isEmpty ? metNames[device] ?? device.short : admitted
    }

    /// Returns a device's identifier and the name that a person sees.
    func reference(_ device: DeviceIdentifier) -> DeviceReference {
        DeviceReference(
            identifier: device, name: name(of: device), isHere: device == account.credentials.device)
    }

    /// Returns the device on which a life began.
    ///
    /// The result is nil if the device is unknown, or if several devices match the life's tag.
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
