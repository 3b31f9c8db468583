import BatonCore
import BatonSecurity

/// The membership of the account, for connections, handshakes and people.
extension AccountNode {
    /// The members of the account, as far as this device knows.
    var membership: Membership { account.membership }

    /// Does everything that follows from a changed roster, before anything else is sent.
    func handleRosterChange() {
        rosterForHandshakes.set(membership)
        forgetPresentNames()
        peers.endRefused()
        reception.handleRosterChange()
        tellRevoked()
        renewal.consider()
        let departed = Set(membership.others(departed: true))
        guard departed != departedDevices else { return }
        // Activities disappear from the list with their devices, and come back with them.
        departedDevices = departed
        watching.beginAnew()
    }

    func readDevices(then: @escaping (Result<[Record], StoreFailure>) -> Void) {
        store.submit(to: .activities) { (store) throws(StoreFailure) in
            try store.records(of: .device)
        } then: { result in
            then(result)
        }
    }

    /// Returns the admission that is this device's certificate.
    static func ownAdmission(_ credentials: Credentials, _ log: Log) -> OwnAdmission {
        var statement: RosterStatement?
        do throws(SecurityError) {
            statement = try credentials.chain.admission()
        } catch {
            log.warn("this device can't be entered in the roster: \(error)")
        }
        return OwnAdmission(
            device: credentials.device, name: credentials.deviceName, statement: statement,
            owner: credentials.ownerAuthority?.owner)
    }
}

/// Answers to the sessions' questions about membership.
extension AccountNode {
    func meet(
        _ identity: DeviceIdentity, showing admission: RosterStatement?, expired: WallTime?
    ) -> CloseReason? {
        let refusal = drive { $0.meet(identity.device, showing: admission, in: self) }
        rosterForHandshakes.set(membership)
        if let refusal { return refusal }
        guard let expired, !renewal.admits(identity.device) else { return nil }
        return CloseReason(
            .expired,
            """
            that device's certificate ended on \(expired.date) by the clock here, which shows \(WallTime.now.date); \
            an owner's device renews it
            """)
    }

    func refusal(of device: DeviceIdentifier) -> CloseReason? { membership.refusal(of: device) }

    func isRevoked(_ device: DeviceIdentifier) -> Bool {
        switch membership.roster.standing(of: device) {
        case .revoked, .undone: true
        case .member, .unknown: false
        }
    }

    func standing(of device: DeviceIdentifier) -> (standing: DeviceStanding, hasLeft: Bool) {
        (membership.roster.standing(of: device), membership.left(device) != nil)
    }

    /// The owner's authority on this device; nil if there is none, or if its signatures don't count by the roster.
    var countingAuthority: OwnerAuthority? {
        let own = credentials.device
        return ownerKey(on: own) == nil || isRevoked(own) ? nil : credentials.ownerAuthority
    }

    /// Returns the reason why this device may not let a joiner in, or anybody if the joiner is nil.
    ///
    /// The reason comes from the roster, or from a member that turned this device away since the node started and has
    /// not let it in since. A revoked device is sent no statements, so it may learn of its revocation in no other way.
    func pairingRefusal(of joiner: DeviceIdentifier?) -> PairingRefusal? {
        guard countingAuthority != nil, rosterTrouble == nil else {
            return .inviterRevoked
        }
        return joiner.map(isRevoked) ?? false ? .joinerRevoked : nil
    }

    /// Called when another set of devices is connected than before.
    func connectionsChanged() {
        forgetPresentNames()
        drive { $0.note(connected: peers.connected, in: self) }
    }

    /// The problem to show on this device if it does not belong to the account any more.
    var rosterTrouble: String? {
        let what: String
        switch membership.roster.standing(of: credentials.device) {
        case .revoked: what = "this device was revoked"
        case .undone: what = "the owner who let this device in was revoked"
        case .member, .unknown:
            let refusals = peers.refusals.filter { $0.value.code == .notMember }
            guard let (device, reason) = refusals.min(by: { $0.key < $1.key }) else { return nil }
            what = "“\(name(of: device))” does not let this device in, and says: \(reason.text)"
        }
        return """
            \(what). What is here stays, and nothing of it reaches the others. To use this machine again, type \
            `baton leave\(options)` here, which deletes what is here, then `baton invite` on an owner's machine, and `baton \
            join CODE --at HOST:PORT\(options)` here
            """
    }
}
