import BatonCore
import BatonStore
import Disks
import Support
import Testing

/// Changes of who belongs to the account, and of the names of devices, on a disk that loses power right after them.
@Suite struct `Membership at a power loss` {
    private static let own = DeviceIdentifier(high: 7, low: 7)
    private static let owner = OwnerIdentifier(high: 7, low: 8)
    private static let wall = WallTime(milliseconds: 1_700_000_000_000)

    /// A change that a device writes.
    enum Change: CaseIterable {
        case rename, admission, revocation, activity

        var draft: Journal.Draft {
            get throws {
                let own = `Membership at a power loss`.own
                let (owner, wall) = (`Membership at a power loss`.owner, `Membership at a power loss`.wall)
                switch self {
                case .rename: return Journal.Draft(Device(identifier: own, name: "loft", admitted: wall))
                case .admission: return Journal.Draft(try TrustingVerifier.admission(of: own, by: owner))
                case .revocation:
                    return Journal.Draft(
                        try TrustingVerifier.revocation(of: .device(own), by: owner, at: wall))
                case .activity:
                    let activity = Activity(type: "org.example.editing", started: wall)
                    let name = ActivityName(device: own, app: "org.example", instance: "1")
                    return Journal.Draft(.full(activity.content), name.key)
                }
            }
        }
    }

    private func open(_ disk: TestDisk) throws -> SQLiteStore {
        try SQLiteStore(folder: "", account: AccountIdentifier(high: 1, low: 1), fileSystem: disk.name)
    }

    /// A device that writes the change as a node does, and names nothing as durable itself.
    @Test(arguments: Change.allCases)
    func `a change of membership or of a name survives a power loss once it is stored`(
        _ change: Change
    ) throws {
        let disk = TestDisk()
        let store = try open(disk)
        // So that the databases themselves survive.
        _ = try store.report(of: Self.own, having: VersionVector())
        var writing = Writing(
            of: Self.own, in: Journal(life: Life(after: .zero, of: Self.own, random: 1), latest: .zero),
            limits: Limits(), drawingFrom: SeededGenerator(seed: 1))
        let draft = try change.draft
        _ = try #require(writing.write { $0.transaction(.activities, [draft], now: Self.wall) })
        while let effect = writing.nextEffect() {
            guard case .keep(let transaction, let ticket, let isDurable) = effect else { continue }
            try store.lane(.activities).group(durably: isDurable) { () throws(StoreFailure) in
                _ = try store.commit(transaction)
            }
            writing.handleKept(ticket)
        }
        var generator = SeededGenerator(seed: 1)
        let found = TestDisk(disk.image.afterPowerLoss(.forgets, &generator))
        let record = try open(found).lane(.activities).record(draft.key.identity)
        // An activity shows that this disk forgets what is not durable.
        #expect((record != nil) == (change != .activity))
        if change == .rename { #expect(record?.device?.name == "loft") }
    }
}
