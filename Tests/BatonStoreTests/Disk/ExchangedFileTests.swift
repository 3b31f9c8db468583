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

    /// Pages of two databases then form one tree, whose rows come in any order and more than once.
    @Test(.timeLimit(.minutes(1)))
    func `a rescue takes bounded time if the journal does not name its store`() throws {
        let stores = try Self.exchanged { try $0.run("UPDATE progress SET owner = NULL") }
        for store in stores {
            try store.open { opened, rescues, _ in
                // The next opening finds a sound store, however much was rescued.
                #expect(rescues.count <= 1)
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

    /// Stops a rescue once it has copied something.
    private final class Listener: Sendable {
        let told = Mutex<[RescueProgress]>([])
        let watch = Mutex<RescueWatch?>(nil)

        func hear(_ progress: RescueProgress) {
            told.withLock { $0.append(progress) }
            if progress.writes ?? 0 > 0 { watch.withLock { $0?.stop() } }
        }
    }

    @Test func `a rescue can be stopped, and the next opening repeats it`() throws {
        var store = try KilledStore("near", number: 1, settled: 1500, inJournal: 10)
        store.image.put([], as: Self.journal)
        let listener = Listener()
        let watch = RescueWatch(every: .zero) { listener.hear($0) }
        listener.watch.withLock { $0 = watch }
        defer { listener.watch.withLock { $0 = nil } }
        let before = store.image.bytes(of: "index.sqlite")
        let disk = TestDisk(store.image)
        try withExtendedLifetime(disk) {
            let open = { (watch: RescueWatch) throws in
                try SQLiteStore.open(
                    StoreFolder(disk), account: StoreSeries.account, device: store.device,
                    day: KilledStore.day, damaged: [.index: StoreFailure(.damaged, "in a test")], watch: watch
                )
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
