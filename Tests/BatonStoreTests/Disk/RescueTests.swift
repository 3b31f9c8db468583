import BatonCore
import BatonStore
import CSQLite
import Disks
import Support
import Testing

/// Damaged databases, what is rescued of them, and what is left alone.
@Suite struct `The rescue of a database` {
    private static func draft(_ number: Int) -> Journal.Draft {
        RescuedStore.draft(number, "The text of note \(number), which is not very long.")
    }

    /// Makes a disk with a store of this many items, which was closed.
    private static func disk(items count: Int) throws -> DiskImage {
        let disk = TestDisk()
        try withExtendedLifetime(disk) {
            let store = try RescuedStore.open(disk).store
            var journal = Journal(life: Life(after: .zero, of: StoreSeries.own, random: 1), latest: .zero)
            for first in stride(from: 0, to: count, by: 100) {
                let drafts = (first..<first + 100).map(draft)
                let transaction = journal.transaction(.index, drafts, now: WallTime(milliseconds: 1))
                _ = try store.commit(try #require(transaction))
            }
        }
        return disk.image
    }

    /// Makes a disk with a store of a batch that has ended and is not merged, which was closed.
    private static func disk(batchOf count: Int) throws -> DiskImage {
        let disk = TestDisk()
        try withExtendedLifetime(disk) {
            let store = try RescuedStore.open(disk).store
            store.recordsAtOnce = 0
            let batch = BatchIdentifier(value: 1)
            try store.stage((0..<count).map(draft), in: batch)
            var journal = Journal(life: Life(after: .zero, of: StoreSeries.own, random: 1), latest: .zero)
            let ending = journal.ending(batch, count: count, with: nil, now: WallTime(milliseconds: 1))
            _ = try store.commit(try #require(ending))
            #expect(store.isUnsettled(.index), "nothing of it is merged")
        }
        return disk.image
    }

    /// Whether a page of the index has an item's name or its text.
    private static func stands(_ name: String, on page: Int, of bytes: [UInt8]) -> Bool {
        let page = bytes[page * 4096..<(page + 1) * 4096]
        let texts = [[0x60 + UInt8(name.utf8.count)] + Array(name.utf8), Array("\(name),".utf8)]
        return texts.contains { !page.ranges(of: $0).isEmpty }
    }

    @Test func `items on the damaged page are lost, and apps are asked to reindex everything`() throws {
        let (count, image) = (1000, try Self.disk(items: 1000))
        let pages = image.count(of: "index.sqlite") / 4096
        let all = Set((0..<count).map { "note \($0)" })
        let bytes = image.bytes(of: "index.sqlite")
        var (whole, few): (Int, Int) = (0, 0)
        var generator = SeededGenerator(seed: Seeds.replayed ?? 1)
        for page in 0..<pages {
            var damaged = image
            damaged.flip("index.sqlite", at: page * 4096 + generator.number(0...4095), by: 0x10)
            let disk = TestDisk(damaged)
            try withExtendedLifetime(disk) {
                let (store, rescues) = try RescuedStore.open(disk, damaged: [.index])
                #expect(rescues.map(\.lane) == [.index])
                #expect(disk.exists("index.sqlite.damaged-\(RescuedStore.day)"))
                let found = try RescuedStore.items(store)
                let lost = all.subtracting(found)
                #expect(found.isSubset(of: all))
                #expect(lost.isEmpty || rescues.first?.hasLosses == true, "page \(page)")
                // Rows of other pages are not lost.
                if lost.count <= 100, lost.allSatisfy({ Self.stands($0, on: page, of: bytes) }) { few += 1 }
                let requests = try store.notes(in: .reindex).map(ReindexRequest.init)
                if lost.isEmpty { whole += 1 }
                if !lost.isEmpty {
                    #expect(requests.contains { $0.index == nil && $0.extent == .all }, "page \(page)")
                }
            }
        }
        print("Rescue: of \(pages) pages \(whole) cost nothing, \(few) at most 100 of \(count)")
        #expect(few * 10 >= pages * 9, "few pages matter much")
        #expect(whole > 0)
    }

    @Test func `a batch that is not merged yet is rescued, and lost drafts are reported`() throws {
        let (count, image) = (400, try Self.disk(batchOf: 400))
        let all = Set((0..<count).map { "note \($0)" })
        var lossy = 0
        // Without damage first, and then with each page damaged.
        for page in [nil] + (0..<image.count(of: "index.sqlite") / 4096).map(Optional.some) {
            var damaged = image
            if let page { damaged.flip("index.sqlite", at: page * 4096 + 1000, by: 0x10) }
            let disk = TestDisk(damaged)
            try withExtendedLifetime(disk) {
                let (store, rescues) = try RescuedStore.open(disk, damaged: [.index])
                let rescue = try #require(rescues.first)
                let found = try RescuedStore.items(store)
                #expect(found.isSubset(of: all))
                if page == nil { #expect(found == all && rescue.writes == count && !rescue.hasLosses) }
                guard found != all else { return }
                lossy += 1
                #expect(rescue.hasLosses, "page \(page ?? -1)")
                // The names of drafts that can't be read are unknown.
                let requests = try store.notes(in: .reindex).map(ReindexRequest.init)
                #expect(requests.contains { $0.index == nil && $0.extent == .all }, "page \(page ?? -1)")
            }
        }
        #expect(lossy > 1, "some pages hold drafts")
    }

    @Test func `missing drafts of a batch are reported as losses`() throws {
        let disk = TestDisk(try Self.disk(batchOf: 400))
        try withExtendedLifetime(disk) {
            _ = try RawDatabase(.index, on: disk)?.texts("DELETE FROM staged WHERE number % 2 = 0")
            let (store, rescues) = try RescuedStore.open(disk, damaged: [.index])
            #expect(try RescuedStore.items(store).count == 200)
            #expect(rescues.first?.hasLosses == true)
            let requests = try store.notes(in: .reindex).map(ReindexRequest.init)
            #expect(requests.contains { $0.index == nil && $0.extent == .all })
        }
    }

    @Test(arguments: DiskOperation.allCases)
    func `a rescue loses nothing if the disk fails temporarily`(operation: DiskOperation) throws {
        let image = try Self.disk(items: 100)
        let all = Set((0..<100).map { "note \($0)" })
        let sound = TestDisk(image)
        let count = try withExtendedLifetime(sound) {
            _ = try RescuedStore.open(sound, damaged: [.index])
            return sound.counts[operation] ?? 0
        }
        var refusals = 0
        // Some places are enough for an operation that happens often.
        for place in stride(from: 0, to: count, by: max(1, count / 200)) {
            let disk = TestDisk(image)
            try withExtendedLifetime(disk) {
                disk.faults.failure = DiskFaults.Failure(operation, after: place, isLasting: false)
                do {
                    _ = try RescuedStore.open(disk, damaged: [.index])
                } catch is StoreFailure {
                    refusals += 1
                }
                disk.faults = DiskFaults()
                let found = try RescuedStore.items(try RescuedStore.open(disk).store)
                #expect(found == all, "\(operation) \(place) of \(count)")
            }
        }
        // SQLite may find later again what it failed to remove or truncate.
        #expect(refusals > 0 || [.delete, .truncate].contains(operation))
    }

    /// Until SQLite first moves its log, the tables are only there.
    @Test
    func `a young database whose journal is damaged from the first page is replaced by an empty one`()
        throws
    {
        let young = TestDisk()
        let image = try withExtendedLifetime(young) {
            let store = try RescuedStore.open(young).store
            _ = try store.report(of: StoreSeries.own, having: VersionVector())
            return young.image.afterProcesses
        }
        for lane in Lane.allCases {
            var damaged = image
            damaged.flip("\(lane == .index ? "index" : "activities").sqlite-wal", at: 32 + 24 + 100, by: 1)
            let disk = TestDisk(damaged)
            try withExtendedLifetime(disk) {
                let (store, rescues) = try RescuedStore.open(disk, damaged: [lane])
                #expect(rescues.map(\.lane) == [lane] && rescues[0].writes == 0 && rescues[0].hasLosses)
                #expect(try store.summary().complete.isEmpty)
                // The lost items are unknown, so apps are asked for everything.
                let requests = try store.notes(in: .reindex).map(ReindexRequest.init)
                #expect(requests.contains { $0.index == nil && $0.extent == .all } == (lane == .index))
            }
        }
    }

    @Test(arguments: [NoteSpace.lastContact, .keptActivity, .keptUse, .donation, .skippedStatement])
    func `a rescue keeps the notes of contacts, activities kept here, donations and skipped statements`(
        _ space: NoteSpace
    ) throws {
        let note = LocalNote(space: space, name: [1], value: [2])
        let before = TestDisk()
        let image = try withExtendedLifetime(before) {
            var transaction = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
            transaction.notes = [note]
            _ = try RescuedStore.open(before).store.commit(transaction)
            return before.image.afterProcesses
        }
        let disk = TestDisk(image)
        try withExtendedLifetime(disk) {
            let (store, rescues) = try RescuedStore.open(disk, damaged: [.activities])
            #expect(rescues.map(\.lane) == [.activities])
            #expect(try store.notes(in: space) == [note])
        }
    }

    @Test func `a rescued lane is not compared as of a time before its last sweep`() throws {
        let time = WallTime(milliseconds: 1_700_000_000_000)
        let before = TestDisk()
        let image = try withExtendedLifetime(before) {
            _ = try RescuedStore.open(before).store.lane(.index).sweep(SweepRequest(time: time, roster: []))
            return before.image.afterProcesses
        }
        let disk = TestDisk(image)
        try withExtendedLifetime(disk) {
            let store = try RescuedStore.open(disk, damaged: [.index]).store
            // Others may show what was swept here, if their clocks stand before that time.
            #expect(try store.check(at: WallTime(milliseconds: time.milliseconds - 1)) == nil)
            #expect(try store.check(at: time) != nil)
        }
    }

    @Test func `the next opening finishes or repeats an interrupted rescue`() throws {
        var image = try Self.disk(items: 200)
        image.flip("index.sqlite", at: 9 * 4096 + 100, by: 1)
        let expected = try {
            let disk = TestDisk(image)
            return try withExtendedLifetime(disk) {
                try RescuedStore.items(try RescuedStore.open(disk, damaged: [.index]).store)
            }
        }()
        #expect(!expected.isEmpty)
        let disk = TestDisk(image)
        var cuts: [DiskImage] = []
        disk.observe = { _ in cuts.append(disk.image.afterProcesses) }
        _ = try RescuedStore.open(disk, damaged: [.index])
        disk.observe = nil
        for (number, cut) in cuts.enumerated() where number % 7 == 0 || number > cuts.count - 20 {
            let disk = TestDisk(cut)
            try withExtendedLifetime(disk) {
                let isDone = disk.exists("index.sqlite.damaged-\(RescuedStore.day)")
                let (store, _) = try RescuedStore.open(disk, damaged: isDone ? [] : [.index])
                #expect(try RescuedStore.items(store) == expected, "cut \(number) of \(cuts.count)")
                #expect(try store.summary().complete.restricted(to: .index).isEmpty)
                #expect(disk.image.fileNames.contains { $0.hasPrefix("index.sqlite.damaged-") })
            }
        }
    }

    @Test func `a quarantined database never overwrites an earlier one`() throws {
        let disk = TestDisk(try Self.disk(items: 100))
        try withExtendedLifetime(disk) {
            for _ in 0..<3 { _ = try RescuedStore.open(disk, damaged: [.index]) }
        }
        let quarantined = disk.image.fileNames.filter { $0.contains(".damaged-") && !$0.hasSuffix("-wal") }
        #expect(
            quarantined == ["", "-2", "-3"].map { "index.sqlite.damaged-\(RescuedStore.day)\($0)" },
            "\(disk.image.fileNames)")
    }

    @Test func `a rescued lane has a new order of arrival, and the other lane is unchanged`() throws {
        let disk = TestDisk(try Self.disk(items: 100))
        try withExtendedLifetime(disk) {
            let life = Life(after: .zero, of: StoreSeries.own, random: 1)
            let order = ArrivalOrder(high: 3, low: 4)
            var store: SQLiteStore? = try RescuedStore.open(disk).store
            try store?.begin(order)
            for lane in Lane.allCases { #expect(try store?.lane(lane).mark(of: life)?.order == order) }
            store = nil
            let rescued = try RescuedStore.open(disk, damaged: [.index]).store
            // A journal whose lanes have different orders of arrival is not continued (`Witness`).
            #expect(try rescued.lane(.index).mark(of: life)?.order != order)
            #expect(try rescued.summary().order == order)
        }
    }

    @Test func `a snapshot by a peer that lacks the damaged lane's tombstones removes nothing from the lane`()
        throws
    {
        let disk = TestDisk(try Self.disk(items: 100))
        try withExtendedLifetime(disk) {
            let store = try RescuedStore.open(disk, damaged: [.index]).store
            let nobody = Life(high: 9, low: 9)
            let known = VersionVector([(Origin(life: nobody, lane: .index), UInt64(1))])
            var snapshot = StoreTransaction(lane: .index, writes: [], completing: VersionVector())
            snapshot.range = ReceivedRange(
                after: nil, through: nil, isEndAhead: false, known: known, dropped: VersionVector(),
                horizon: HybridTime(value: 1 << 60), start: known)
            snapshot.renewingLife = nobody
            _ = try store.commit(snapshot)
            #expect(try RescuedStore.items(store).count == 100)
        }
    }

    /// Runs a script on a database with plain SQLite.
    private func run(_ script: String, on disk: TestDisk, then body: () throws -> Void) throws {
        var handle: OpaquePointer?
        let files = try CheckedFileSystem(over: disk.name)
        try withExtendedLifetime(files) {
            #expect(sqlite3_open_v2("/index.sqlite", &handle, SQLITE_OPEN_READWRITE, files.name) == SQLITE_OK)
            defer { sqlite3_close(handle) }
            #expect(sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK)
            try body()
        }
    }

    @Test(arguments: [
        ("PRAGMA user_version = 99", StoreFailure.Code.newer),
        ("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE progress SET time = 1", .locked),
        (
            """
            UPDATE account SET identifier = zeroblob(16); UPDATE progress SET owner = NULL;
            PRAGMA wal_checkpoint(TRUNCATE)
            """, .foreign
        ),
    ])
    func `failures other than damage start no rescue`(script: String, code: StoreFailure.Code) throws {
        let disk = TestDisk(try Self.disk(items: 100))
        try withExtendedLifetime(disk) {
            try run(script, on: disk) {
                let failure = #expect(throws: StoreFailure.self) { _ = try RescuedStore.open(disk) }
                #expect(failure?.code == code)
            }
            #expect(!disk.image.fileNames.contains { $0.contains("damaged") || $0.contains("rescu") })
        }
    }
}
