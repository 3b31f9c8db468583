import BatonCore
import BatonStore
import Disks
import Support
import Synchronization
import Testing

/// Files of a store that were put in the place of others, and rescues that must end.
@Suite struct `A store with files of another store` {
    private static let journal = "index.sqlite-wal"

    /// Makes two killed stores whose journals of the index were exchanged.
    private static func exchanged(_ prepare: (inout KilledStore) throws -> Void = { _ in }) throws
        -> [KilledStore]
    {
        var stores = [
            try KilledStore("near", number: 1, settled: 300, inJournal: 100),
            try KilledStore("far", number: 2, settled: 900, inJournal: 40),
        ]
        for place in stores.indices { try prepare(&stores[place]) }
        let journals = stores.map { $0.image.bytes(of: journal) }
        #expect(journals.allSatisfy { $0.count > 32 })
        for place in stores.indices { stores[place].image.put(journals[1 - place], as: journal) }
        return stores
    }

    @Test
    func `a store with another store's journal keeps its own items, and gets none from the journal`()
        throws
    {
        for store in try Self.exchanged() {
            let before = store.image.bytes(of: Self.journal)
            try store.open { opened, rescues, disk in
                #expect(rescues.map(\.lane) == [.index])
                #expect(rescues.first?.hasForeignJournal == true && rescues.first?.hasLosses == true)
                let items = try KilledStore.items(opened)
                #expect(items == store.settled)
                let quarantined = "index.sqlite.damaged-\(KilledStore.day)"
                #expect(
                    disk.image.bytes(of: quarantined + "-wal") == before,
                    "the journal is kept as it was found")
                #expect(disk.image.bytes(of: quarantined) == store.image.bytes(of: "index.sqlite"))
            }
        }
    }

    /// The largest number of reports while a store is opened and rescued, if the interval between them is zero.
    ///
    /// There is a report for each 10,000 steps of SQLite's virtual machine, and for each group of rescued writes. Eight
    /// were measured, so this leaves room for six times the work.
    private static let reportsMost = 50
    /// The damage for which the index is rescued without an attempt to open it.
    private static let damage: [Lane: StoreFailure] = [.index: StoreFailure(.damaged, "in a test")]

    /// Pages of two databases then form one tree, whose rows come in any order and more than once.
    @Test func `a rescue makes a bounded number of steps if the journal does not name its store`() throws {
        let stores = try Self.exchanged { try $0.run("UPDATE progress SET owner = NULL") }
        for store in stores {
            let listener = Listener { $0.count > Self.reportsMost }
            let watch = listener.watch()
            defer { listener.end() }
            let image = try store.open(damaged: Self.damage, watch: watch) { opened, rescues, disk in
                #expect(rescues.map(\.lane) == [.index])
                _ = try opened.summary()
                return disk.image.afterProcesses
            }
            let count = listener.told.withLock { $0.count }
            #expect(count <= Self.reportsMost, "\(count) reports")
            // The next opening finds a sound store, however much was rescued.
            var rescued = store
            rescued.image = image
            try rescued.open { opened, rescues, _ in
                #expect(rescues.isEmpty)
                _ = try opened.summary()
            }
        }
    }

    @Test func `exchanged databases are refused, and can be opened once they are put back`() throws {
        var store = try KilledStore("near", number: 1, settled: 100, inJournal: 10)
        let right = store.image
        for part in ["", "-wal"] {
            store.image.put(right.bytes(of: "index.sqlite\(part)"), as: "activities.sqlite\(part)")
            store.image.put(right.bytes(of: "activities.sqlite\(part)"), as: "index.sqlite\(part)")
        }
        let failure = #expect(throws: StoreFailure.self) { try store.open { _, _, _ in } }
        #expect(failure?.code == .foreign)
        #expect(failure?.text.contains("exchanged") == true, "\(failure as Any)")
        store.image = right
        try store.open { opened, rescues, _ in
            #expect(rescues.isEmpty)
            let items = try KilledStore.items(opened)
            #expect(items.count == 110)
        }
    }

    @Test func `a database of another device is refused, and left unchanged`() throws {
        let (near, far) = (
            try KilledStore("near", number: 1, settled: 100, inJournal: 10),
            try KilledStore("far", number: 2, settled: 100, inJournal: 10)
        )
        for part in ["", "-wal"] {
            var store = near
            for name in ["", "-wal"] where part.isEmpty || name.isEmpty {
                store.image.put(far.image.bytes(of: "index.sqlite\(name)"), as: "index.sqlite\(name)")
            }
            let disk = TestDisk(store.image)
            withExtendedLifetime(disk) {
                let failure = #expect(throws: StoreFailure.self) {
                    try SQLiteStore.open(
                        StoreFolder(disk), account: StoreSeries.account, device: near.device,
                        day: KilledStore.day)
                }
                #expect(failure?.code == .foreign && failure?.text.contains(far.device.short) == true)
                #expect(!disk.image.fileNames.contains { $0.contains(".damaged-") })
                #expect(disk.image.bytes(of: "index.sqlite") == store.image.bytes(of: "index.sqlite"))
            }
        }
    }

    /// Collects the reports of a rescue, and stops the rescue once there are enough of them.
    private final class Listener: Sendable {
        let told = Mutex<[RescueProgress]>([])
        private let present = Mutex<RescueWatch?>(nil)
        private let isEnough: @Sendable ([RescueProgress]) -> Bool

        init(until isEnough: @escaping @Sendable ([RescueProgress]) -> Bool) { self.isEnough = isEnough }

        /// Returns a watch that reports to this listener as often as it can.
        func watch() -> RescueWatch {
            let watch = RescueWatch(every: .zero) { [self] progress in
                let isDone = told.withLock {
                    $0.append(progress)
                    return isEnough($0)
                }
                if isDone { present.withLock { $0?.stop() } }
            }
            present.withLock { $0 = watch }
            return watch
        }

        /// Releases the watch, which retains this listener.
        func end() { present.withLock { $0 = nil } }
    }

    @Test func `a rescue can be stopped, and the next opening repeats it`() throws {
        var store = try KilledStore("near", number: 1, settled: 1500, inJournal: 10)
        store.image.put([], as: Self.journal)
        let listener = Listener { $0.last?.writes ?? 0 > 0 }
        let watch = listener.watch()
        defer { listener.end() }
        let before = store.image.bytes(of: "index.sqlite")
        let disk = TestDisk(store.image)
        try withExtendedLifetime(disk) {
            let open = { (watch: RescueWatch) throws in
                try SQLiteStore.open(
                    StoreFolder(disk), account: StoreSeries.account, device: store.device,
                    day: KilledStore.day, damaged: Self.damage, watch: watch)
            }
            let failure = #expect(throws: StoreFailure.self) { try open(watch) }
            #expect(failure?.text.contains("the node was stopped") == true, "\(failure as Any)")
            let counts = listener.told.withLock { $0.compactMap(\.writes) }
            #expect(counts.first == 0 && counts.contains { $0 > 0 } && counts.max() ?? 0 < 1500)
            #expect(disk.image.bytes(of: "index.sqlite") == before)
            #expect(!disk.image.fileNames.contains { $0.contains(".damaged-") })
            let again = try open(RescueWatch())
            #expect(again.rescues.map(\.lane) == [.index])
        }
    }
}
