import BatonCore
import BatonSecurity

extension AccountNode: BelongingOwner {
    func readDevices(then: @escaping (Result<[Record], StoreFailure>) -> Void) {
        store.submit(to: .activities) { (store) throws(StoreFailure) in
            try store.records(of: .device)
        } then: { result in
            then(result)
        }
    }

    func rosterChanged() {
        peers.endRefused()
        tellRevoked()
        renewal.consider()
        // Whose activities are listed depends on it.
        watching.beginAnew()
    }

    var ownDevice: Device? { devices[credentials.device] }

    func admitsExpired(_ device: DeviceIdentifier) -> Bool { renewal.admits(device) }

    func waitsForFewer() { letting.forgetGone() }

    func waitsForMore() { letting.heed() }
}

/// What sessions ask of who belongs to the account.
extension AccountNode {
    func heeded(_ told: Reports) -> Reports { membership.take(told) }

    func meet(
        _ identity: DeviceIdentity, showing admission: RosterStatement?, expired: WallTime?
    ) -> CloseReason? {
        belonging.meet(identity, showing: admission, expired: expired)
    }

    func refusal(of device: DeviceIdentifier) -> CloseReason? { membership.refusal(of: device) }

    func isRevoked(_ device: DeviceIdentifier) -> Bool {
        switch membership.standing(of: device) {
        case .revoked, .undone: true
        case .member, .unknown: false
        }
    }

    func connectionsChanged() { belonging.note(connected: peers.connected) }
}
