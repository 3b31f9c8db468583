import BatonCore
import BatonSecurity

/// Logs the devices that are revoked while the node runs, each with its last change.
final class RevocationLog {
    private let account: AccountCore
    private let devices: DeviceDirectory
    private let changes: DeviceChanges
    /// The devices whose revocation was logged, or that were revoked already when the node started.
    private var logged: Set<DeviceIdentifier> = []

    init(of account: AccountCore, _ devices: DeviceDirectory, _ changes: DeviceChanges) {
        self.account = account
        self.devices = devices
        self.changes = changes
    }

    /// Called when the node starts.
    ///
    /// Devices that are revoked already are not logged.
    func start() { logged = revoked }

    /// Logs all devices that were revoked since the last call.
    func logNew() {
        let revoked = revoked
        let fresh = revoked.subtracting(logged).sorted()
        logged = revoked
        guard !fresh.isEmpty, !account.isStopped else { return }
        changes.describe(fresh.map(devices.status)) { [log = account.log] devices in
            for device in devices { log.tell(Self.line(device)) }
        }
    }

    /// The revoked devices that an owner had admitted or that this device has met.
    ///
    /// Other devices are ignored, because a thief of an owner's key can revoke any number of devices.
    private var revoked: Set<DeviceIdentifier> {
        account.membership.roster.admitted.union(account.names.met)
            .subtracting([account.credentials.device]).filter(account.membership.isRevoked)
    }

    private static func line(_ status: DeviceStatus) -> String {
        let revoker = status.revocation.map { " by “\($0.revoker)”" } ?? ""
        let device = "“\(status.device.name)” (\(status.device.identifier.short))"
        guard let change = status.lastChange else {
            let line = "\(device) is revoked\(revoker); no change that it made was received"
            return status.received.map { "\(line); changes received over its connections: \($0.count)" }
                ?? line
        }
        let way =
            change.sender.identifier == status.device.identifier
            ? "directly" : "through “\(change.sender.name)”"
        return "\(device) is revoked\(revoker); last change received: \(change.thing), made"
            + " \(change.made.dateAndTime), received \(change.taken.dateAndTime), \(way)"
            + (status.received.map { "; changes received over its connections: \($0.count)" } ?? "")
    }
}
