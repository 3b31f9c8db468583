import BatonCore
import BatonStore
import Support
import Testing

/// Lists of activities, which a store makes without reading their records.
@Suite struct `A store of many activities` {
    private static let account = AccountIdentifier(high: 1, low: 2)
    private static let devices = (UInt64(1)...3).map { DeviceIdentifier(high: $0, low: 0) }

    /// Writes activities that several devices begin, change, end and delete, some at the same moment.
    private static func transactions(_ generator: inout SeededGenerator) throws -> [StoreTransaction] {
        var journal = Journal(
            life: Life(after: .zero, of: devices[0], random: 1), latest: HybridTime(value: 1 << 30))
        return try (0..<200).map { _ in
            var activity = Activity(
                type: generator.pick(["org.example.a", "org.example.b"]),
                started: WallTime(milliseconds: Int64(generator.number(0...49))))
            activity.changed = WallTime(milliseconds: Int64(generator.number(0...99)))
            if generator.chance(30) {
                activity.expiration = WallTime(milliseconds: Int64(generator.number(0...199)))
            }
            let name = ActivityName(
                device: generator.pick(devices), app: "app", instance: "\(generator.number(0...29))")
            var key = name.key
            if generator.chance(50) {
                activity.origin = Activity.Origin(device: name.device, identity: name.identity)
                activity.finished = WallTime(milliseconds: Int64(generator.number(0...99)))
                key = SavedActivityName(app: "app", identifier: "\(generator.number(0...59))").key
            }
            let draft =
                generator.chance(20)
                ? Journal.Draft(.deletion, key) : Journal.Draft(.full(activity.content(savedBy: "app")), key)
            let transaction = journal.transaction(.activities, [draft], now: WallTime(milliseconds: 1))
            return try #require(transaction)
        }
    }

    private static func entries(_ query: ActivityQuery, in store: any AccountStore) throws -> [ActivityEntry]
    {
        var found: [ActivityEntry] = []
        try store.lane(.activities).visitActivities(query, at: WallTime(milliseconds: 60)) { entry in
            found.append(entry)
            return true
        }
        return found
    }

    @Test(arguments: Seeds.first(4))
    func `lists of activities equal the records and their order, also after reopening`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let (folder, plain) = (try TemporaryFolder(), InMemoryStore())
        var store: SQLiteStore? = try SQLiteStore(folder: folder.path, account: Self.account)
        for transaction in try Self.transactions(&generator) {
            _ = try store?.commit(transaction)
            _ = try plain.lane(.activities).commit(transaction)
        }
        let prefix = try #require(KeyHash.range(ofPrefix: "8"))
        let all = KeyHash(high: 0, low: 0)...KeyHash(high: .max, low: .max)
        let queries: [ActivityQuery] =
            Self.devices.flatMap { [.current(on: $0), .finishedOn($0)] }
            + [.finished, .finishedCalled(all), .finishedCalled(prefix)]
        for _ in 0..<2 {
            for query in queries {
                let found = try Self.entries(query, in: try #require(store))
                #expect(try found == Self.entries(query, in: plain), "\(query)")
                #expect(query == .finishedCalled(prefix) || !found.isEmpty)
            }
            store = nil
            store = try SQLiteStore(folder: folder.path, account: Self.account)
        }
    }

    @Test func `checking whether an unreadable write is already stored reads no other writes`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(folder: folder.path, account: Self.account)
        let writes = (1...5000).map { SessionScript.write($0, .activities) }
        _ = try store.commit(StoreTransaction(lane: .activities, writes: writes, completing: VersionVector()))
        let before = store.steps
        var transaction = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
        transaction.quarantined = [
            QuarantinedWrite(
                dot: writes[4000].dot, of: writes[4000].identity, target: nil, reason: "on purpose")
        ]
        _ = try store.commit(transaction)
        #expect(store.quarantined().isEmpty)
        #expect(store.steps - before < 5000)
    }
}
