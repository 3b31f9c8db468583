import BatonCore
import BatonSecurity

/// The last changes that other devices received, and through which device.
extension AccountNode {
    /// Called before a peer's writes are stored; returns the part of them that is reported by now.
    func take(_ writes: [Write], of lane: Lane, from device: DeviceIdentifier) -> TakenWrites {
        drive { $0.handle(arriving: writes, from: device, in: self) }
        // Watchers come first, because they are waiting.
        let told = lane == .activities ? watching.take(writes) : []
        return TakenWrites(
            changes: lastChanges.take(writes, of: lane, from: device, at: .now) { everyDevice }, told: told)
    }

    /// Storing those writes failed.
    func giveBack(_ taken: TakenWrites) {
        lastChanges.giveBack(taken.changes)
        watching.refuse(taken.told)
    }

    /// Completes the status of devices for a person with each device's last change and the title of the changed record.
    ///
    /// Waits for pending writes first, because storing some of them may fail.
    func describe(_ devices: [DeviceStatus], then: @escaping ([DeviceStatus]) -> Void) {
        readTitles(of: []) { [self] _ in describeKept(devices, then: then) }
    }

    private func describeKept(_ devices: [DeviceStatus], then: @escaping ([DeviceStatus]) -> Void) {
        let changes = devices.map { lastChanges.change(of: $0.device.identifier) }
        readTitles(of: Set(changes.compactMap { $0?.identity })) { [self] titles in
            then(
                zip(devices, changes).map { device, change in
                    var device = device
                    device.lastChange = change.map { change in
                        DeviceStatus.Change(
                            kind: change.identity.kind, title: titles[change.identity],
                            isDeletion: change.isDeletion, made: change.made, taken: change.taken,
                            sender: reference(change.sender))
                    }
                    return device
                })
        }
    }

    /// Looks up the titles of records; a record that is gone or can't be read gets none.
    private func readTitles(
        of identities: Set<RecordIdentity>, then: @escaping ([RecordIdentity: String]) -> Void
    ) {
        var (titles, waiting) = ([RecordIdentity: String](), Lane.allCases.count)
        for lane in Lane.allCases {
            let asked = identities.filter { $0.kind.lane == lane }
            store.submit(to: lane) { (store) throws(StoreFailure) in
                var titles: [RecordIdentity: String] = [:]
                for identity in asked { titles[identity] = try store.record(identity)?.title }
                return titles
            } then: { [self] result in
                switch result {
                case .success(let found): titles.merge(found) { $1 }
                case .failure(let failure): handle(failure)
                }
                waiting -= 1
                if waiting == 0 { then(titles) }
            }
        }
    }

    /// Logs each device that is revoked by now and was not before.
    func tellRevoked() {
        let revoked = everyDevice.subtracting([credentials.device]).filter(isRevoked)
        let fresh = revoked.subtracting(toldRevoked).sorted()
        toldRevoked = revoked
        guard !fresh.isEmpty, !isStopped else { return }
        describe(fresh.map(status)) { [log] devices in
            for device in devices { log.tell(Self.lineOfRevocation(device)) }
        }
    }

    private static func lineOfRevocation(_ status: DeviceStatus) -> String {
        let revoker = status.revocation.map { " by “\($0.revoker)”" } ?? ""
        let device = "“\(status.device.name)” (\(status.device.identifier.short))"
        guard let change = status.lastChange else {
            return "\(device) is revoked\(revoker); no change was received from it"
        }
        let way =
            change.sender.identifier == status.device.identifier
            ? "directly" : "through “\(change.sender.name)”"
        return "\(device) is revoked\(revoker); last change received: \(change.thing), made"
            + " \(change.made.dateAndTime), received \(change.taken.dateAndTime), \(way)"
    }
}
