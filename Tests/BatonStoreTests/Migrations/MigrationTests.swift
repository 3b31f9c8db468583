import BatonCore
import BatonStore
import Disks
import Support
import Testing

/// Databases of an earlier schema, opened by a later version that is made up (`EarlierSchema.later`).
@Suite struct `A store of an earlier schema` {
    /// The SHA-256 of each step.
    ///
    /// A step that was released is never changed, because databases that took it would differ from new ones.
    private static let steps = ["362c1428e23f3cacae0968cc40c2a1c3a6a4c9a6804c119df06ccb07595f52be"]

    @Test func `the steps of the schema have the digests listed here`() throws {
        let found = (1...Schema.lane.newest).map { SHA256.digest(Array(Schema.lane.text(of: $0).utf8)).hex }
        #expect(found == Self.steps)
    }

    @Test(arguments: EarlierSchema.all)
    func `a later version keeps everything in a store of an earlier schema`(
        schema: EarlierSchema
    ) throws {
        let (image, before) = try schema.make()
        let disk = TestDisk(image)
        try withExtendedLifetime(disk) {
            var store: SQLiteStore? = try EarlierSchema.open(disk)
            let seen = try StoreContent.look(at: try #require(store), on: disk)
            #expect(seen == before)
            // The digest that is kept is that of the records.
            for lane in Lane.allCases { _ = try LaneView(lane, of: try #require(store)) }
            store = nil
            for lane in Lane.allCases {
                #expect(try LaneDump(lane, on: disk).troubles == [])
                #expect(try EarlierSchema.isTaken(lane, on: disk))
            }
            let again = try EarlierSchema.open(disk)
            #expect(try StoreContent.look(at: again, on: disk) == seen, "opened again")
        }
    }

    /// A new store takes everything that the old one holds, as another device would.
    @Test(arguments: EarlierSchema.all)
    func `a new store that receives a snapshot of a migrated store has the same state`(
        schema: EarlierSchema
    ) throws {
        let (disk, other) = (TestDisk(try schema.make().image), TestDisk())
        try withExtendedLifetime((disk, other)) {
            let (store, fresh) = (try EarlierSchema.open(disk), try EarlierSchema.open(other))
            let complete = try store.summary().complete
            for lane in Lane.allCases {
                let request = RangeRequest(lane: lane, after: nil, since: nil, covered: nil, bytes: .max)
                guard case .range(let range) = try store.range(request) else {
                    Issue.record("the store of \(schema) sends nothing of \(lane)")
                    continue
                }
                var transaction = StoreTransaction(
                    lane: lane, writes: range.ahead + range.writes, completing: complete.restricted(to: lane))
                transaction.sender = complete
                _ = try fresh.commit(transaction)
            }
            let time = WallTime(milliseconds: 1_500_000)
            #expect(try fresh.digest(at: time) == store.digest(at: time))
            for kind in [RecordKind.item, .currentActivity, .device, .clientState] {
                #expect(try fresh.records(of: kind) == store.records(of: kind))
            }
            for words in StoreContent.searches {
                #expect(try find(words, fresh, other) == find(words, store, disk), "\(words)")
            }
        }
    }

    private func find(_ words: String, _ store: SQLiteStore, _ disk: TestDisk) throws -> Set<String> {
        while try !store.fillSearch() {}
        let reader = try SearchReader(folder: "", stop: SearchStop(), fileSystem: disk.name)
        return Set(
            try reader.find(words, most: 50, at: WallTime(milliseconds: 0)).items.map(\.identifier))
    }

    @Test func `a later version restores a backup that an earlier version made`() throws {
        let (image, seen) = try EarlierSchema.filled.make()
        let (folder, disk, other) = (try TemporaryFolder(), TestDisk(image), TestDisk())
        try withExtendedLifetime((disk, other)) {
            let path = folder.path + "/backup"
            let output = try BackupOutput(path: path, replaces: false)
            let written = try StoreBackup.write(
                BackedUpStore.manifest, of: "", to: output, watch: BackupWatch(), fileSystem: disk.name)
            try output.end()
            let input = try BackupInput(path: path, watch: BackupWatch())
            #expect(input.summary == written)
            try StoreRestoration.prepare(
                input, for: BackedUpStore.request, in: StoreFolder(other), watch: BackupWatch(),
                schema: EarlierSchema.later)
            try StoreRestoration.decide(in: StoreFolder(other))
            _ = try StoreRestoration.finish(in: StoreFolder(other), on: "2026-01-01")
            for lane in Lane.allCases { #expect(try EarlierSchema.isTaken(lane, on: other)) }
            let store = try EarlierSchema.open(other)
            #expect(try StoreContent.look(at: store, on: other) == seen)
            #expect(try store.summary().order == BackedUpStore.order)
        }
    }

    @Test func `a later version can write to a migrated store, and its search finds the changes`() throws {
        let disk = TestDisk(try EarlierSchema.filled.make().image)
        try withExtendedLifetime(disk) {
            let store = try EarlierSchema.open(disk)
            let clock = try store.summary().clock
            var journal = Journal(life: Life(after: clock, of: StoreSeries.own, random: 6), latest: clock)
            let drafts: [Journal.Draft] = [.removal(of: "1"), .item("8", [.title: "Résumé, once more"])]
            let transaction = journal.transaction(.index, drafts, now: WallTime(milliseconds: 2))
            _ = try store.commit(try #require(transaction))
            let found = try find("resume", store, disk)
            #expect(found.contains("8") && !found.contains("1"))
            for lane in Lane.allCases { _ = try LaneView(lane, of: store) }
        }
    }
}

/// The opening of a database of an earlier schema that is interrupted, or finds no room on the disk.
@Suite struct `A migration that is interrupted` {
    private func version(_ lane: Lane, on disk: TestDisk) throws -> Int? {
        try RawDatabase(lane, on: disk)?.texts("PRAGMA user_version").first.flatMap { Int($0) }
    }

    /// Checks that a lane of the old schema has all its rows, and that a lane of the new one is consistent, too.
    private func demandWhole(_ disk: TestDisk, _ before: [Lane: LaneDump]) throws {
        for lane in Lane.allCases {
            let found = try LaneDump(lane, on: disk)
            #expect(found.troubles == [])
            if try version(lane, on: disk) == EarlierSchema.filled.version {
                #expect(found.difference(from: try #require(before[lane])) == [])
            }
        }
    }

    private func dumps(_ image: DiskImage) throws -> [Lane: LaneDump] {
        let disk = TestDisk(image)
        return try withExtendedLifetime(disk) {
            var dumps: [Lane: LaneDump] = [:]
            for lane in Lane.allCases { dumps[lane] = try LaneDump(lane, on: disk) }
            return dumps
        }
    }

    @Test func `an interrupted migration leaves each lane whole, and the next opening completes it`() throws {
        let (image, seen) = try EarlierSchema.filled.make()
        let before = try dumps(image)
        var (generator, cuts): (SeededGenerator, [DiskImage]) = (SeededGenerator(seed: 3), [])
        let disk = TestDisk(image)
        try withExtendedLifetime(disk) {
            disk.observe = { [unowned disk] event in
                switch event {
                case .change: if generator.chance(10) { cuts.append(disk.image.afterProcesses) }
                case .beforeSync, .afterSync:
                    for loss in PowerLoss.allCases {
                        cuts.append(disk.image.afterPowerLoss(loss, &generator))
                    }
                }
            }
            _ = try EarlierSchema.open(disk)
            disk.observe = nil
        }
        var halfway = 0
        for (number, cut) in cuts.enumerated() {
            let disk = TestDisk(cut)
            try withExtendedLifetime(disk) {
                try demandWhole(disk, before)
                if try version(.index, on: disk) != EarlierSchema.later.newest { halfway += 1 }
                let found = try StoreContent.look(at: try EarlierSchema.open(disk), on: disk)
                #expect(found == seen, "cut \(number) of \(cuts.count)")
            }
        }
        print("Interrupted migrations: \(cuts.count), \(halfway) of them not done")
        #expect(halfway > 0 && halfway < cuts.count)
    }

    @Test func `a migration on a full disk leaves each lane whole`() throws {
        let (image, seen) = try EarlierSchema.filled.make()
        let before = try dumps(image)
        let used = image.fileNames.reduce(0) { $0 + image.count(of: $1) }
        var refused = 0
        for room in stride(from: 0, through: 300_000, by: 8_192) {
            let disk = TestDisk(image)
            try withExtendedLifetime(disk) {
                disk.faults.capacity = used + room
                do {
                    _ = try EarlierSchema.open(disk)
                } catch let failure as StoreFailure {
                    #expect(failure.code == .full, "\(failure)")
                    refused += 1
                }
                disk.faults = DiskFaults()
                try demandWhole(disk, before)
                #expect(try StoreContent.look(at: try EarlierSchema.open(disk), on: disk) == seen)
            }
        }
        #expect(refused > 0)
    }

    /// Not even the kind of journal that SQLite keeps is changed.
    @Test(arguments: [false, true]) func `a database of a later schema is refused, and no byte of it changes`(
        isJournaled: Bool
    ) throws {
        let disk = TestDisk()
        try withExtendedLifetime(disk) {
            if isJournaled {
                _ = try StoreContent.fill(disk)
            } else {
                for lane in Lane.allCases {
                    try LaneDraft(path: "/\(lane).sqlite", fileSystem: disk.name).run("COMMIT")
                }
            }
            let later = EarlierSchema.later.newest
            for lane in Lane.allCases {
                _ = try RawDatabase(lane, on: disk)?.texts("PRAGMA user_version = \(later)")
            }
            let files = disk.image.fileNames.filter { $0.hasSuffix(".sqlite") }
            let before = files.map { disk.image.bytes(of: $0) }
            #expect(files.count == 2)
            let failure = #expect(throws: StoreFailure.self) { try StoreContent.open(disk) }
            #expect(failure?.code == .newer)
            #expect(failure?.text.contains("newer version of Baton") == true)
            #expect(files.map { disk.image.bytes(of: $0) } == before)
        }
    }
}
