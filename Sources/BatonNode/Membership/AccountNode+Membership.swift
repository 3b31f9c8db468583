import BatonCore
import BatonSecurity

extension AccountNode: RosterEnforcementOwner {
    func readDevices(then: @escaping (Result<[Record], StoreFailure>) -> Void) {
        store.submit(to: .activities) { (store) throws(StoreFailure) in
            try store.records(of: .device)
        } then: { result in
            then(result)
        }
    }

    func rosterChanged() {
        forgetPresentNames()
        peers.endRefused()
        reception.handleRosterChange()
        tellRevoked()
        renewal.consider()
        let departed = Set(membership.look { $0.others(departed: true) })
        guard departed != departedDevices else { return }
        // Activities leave the list with their devices, and come back with them.
        departedDevices = departed
        watching.beginAnew()
    }

    var ownDevice: Device? { devices[credentials.device] }

    func admitsExpired(_ device: DeviceIdentifier) -> Bool { renewal.admits(device) }

    func waitsForFewer() { drive { $0.collector.forgetGone(in: self) } }

    func waitsForMore() { drive { $0.collector.heed(in: self) } }
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

    func standing(of device: DeviceIdentifier) -> (standing: DeviceStanding, hasLeft: Bool) {
        membership.look { ($0.roster.standing(of: device), $0.left(device) != nil) }
    }

    func refused() { reception.handleRosterChange() }

    /// The owner's authority that is here, unless the roster says that what it signs counts for nothing.
    var countingAuthority: OwnerAuthority? {
        let own = credentials.device
        return ownerKey(on: own) == nil || isRevoked(own) ? nil : credentials.ownerAuthority
    }

    /// Why this device may not let a joiner in, or anybody if none is named.
    ///
    /// The roster says so, or a member that turned this device away since the node started and has not let it in since:
    /// a revoked device is sent no statements, so it may hear of its revocation in no other way.
    func pairingRefusal(of joiner: DeviceIdentifier?) -> PairingRefusal? {
        guard countingAuthority != nil, belonging.trouble(refused: peers.refusals) == nil else {
            return .inviterRevoked
        }
        return joiner.map(isRevoked) ?? false ? .joinerRevoked : nil
    }

    func connectionsChanged() {
        forgetPresentNames()
        belonging.note(connected: peers.connected)
    }
}
