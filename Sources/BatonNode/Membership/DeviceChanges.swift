import BatonCore
import BatonSecurity

/// Remembers the last change of each other device, and the device that sent the change, to show both to people.
final class DeviceChanges {
    private let account: AccountCore
    private var changes: LastChanges

    init(of account: AccountCore, _ notes: [LocalNote]) {
        self.account = account
        changes = LastChanges(of: account.credentials.device, notes)
    }

    /// Called before a peer's writes are stored.
    ///
    /// Returns the changes to store together with the writes.
    func receiveWrites(_ writes: [Write], of lane: Lane, from device: DeviceIdentifier) -> LastChanges.Taken {
        changes.receiveWrites(writes, of: lane, from: device, at: .now) { account.names.devices }
    }

    /// Takes back changes, because storing the writes failed.
    func giveBack(_ taken: LastChanges.Taken) { changes.giveBack(taken) }

    /// Adds each device's last change, and the title of the changed record, to the status of devices.
    ///
    /// Pending writes are waited for first, because storing some of them may fail.
    func describe(_ devices: [DeviceStatus], then: @escaping ([DeviceStatus]) -> Void) {
        readTitles(of: []) { [self] _ in describeKept(devices, then: then) }
    }

    private func describeKept(_ devices: [DeviceStatus], then: @escaping ([DeviceStatus]) -> Void) {
        let found = devices.map { changes.change(of: $0.device.identifier) }
        readTitles(of: Set(found.compactMap { $0?.identity })) { [self] titles in
            then(
                zip(devices, found).map { device, change in
                    var device = device
                    device.received = changes.received(from: device.device.identifier)
                    device.lastChange = change.map { change in
                        DeviceStatus.Change(
                            kind: change.identity.kind, title: titles[change.identity],
                            isDeletion: change.isDeletion, made: change.made, taken: change.taken,
                            sender: account.names.reference(change.sender))
                    }
                    return device
                })
        }
    }

    /// Looks up the titles of records.
    ///
    /// A record that no longer exists or can't be read gets no title.
    private func readTitles(
        of identities: Set<RecordIdentity>, then: @escaping ([RecordIdentity: String]) -> Void
    ) {
        var (titles, waiting) = ([RecordIdentity: String](), Lane.allCases.count)
        for lane in Lane.allCases {
            let asked = identities.filter { $0.kind.lane == lane }
            account.store.submit(to: lane) { (store) throws(StoreFailure) in
                var titles: [RecordIdentity: String] = [:]
                for identity in asked { titles[identity] = try store.record(identity)?.title }
                return titles
            } then: { [account] result in
                switch result {
                case .success(let found): titles.merge(found) { $1 }
                case .failure(let failure): account.troubles.recordFailure(failure)
                }
                waiting -= 1
                if waiting == 0 { then(titles) }
            }
        }
    }
}
