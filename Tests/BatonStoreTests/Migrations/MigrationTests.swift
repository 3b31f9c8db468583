import BatonCore
import BatonStore
import Disks
import Foundation
import Support
import Testing

/// Databases of earlier schemas, opened by this version.
@Suite struct `A store of an earlier schema` {
    /// The SHA-256 of each step.
    ///
    /// One that was released is never changed: databases that took it would differ from new ones. A new step is
    /// entered here once, together with the rows of the schema before it (`BATON_WRITE_SCHEMA` and its number).
    private static let steps = [
        "e1683a73e0925933674539d12ad0a53d1ae87f0f291185b2948c8dfb76ca4330",
        "9bd12415d4f32209f03861a1dde1fccb57017ffcc919d068a0e09417548d5b41",
        "05e3de23fc1a21eef252e50bbbdbcf441dde10792b0cd09667da2194c5470e91",
        "87305efeb12a2b4d64102d4e95efee628abdc6ee37648334f4036205ae175a04",
        "0b90ccc8125854b3a7add4b91e4034dd3eab80156a7b542f4c8737a215a8a1ca",
        "364920ab68d30e013917560fd805c453d166e4740557b4d5e10a2907d99ea57c",
        "dec41584643fda9f30808542e4cdd0331573bbf1fab553e33fd4bf5bbd03bcc1",
    ]

    @Test func `has the steps that were released, each as it was then`() {
        let found = (1...Schema.newest).map { SHA256.digest(Array(Schema.text(of: $0).utf8)).hex }
        #expect(found == Self.steps)
    }

    @Test func `is written for later versions`() throws {
        guard let number = ProcessInfo.processInfo.environment["BATON_WRITE_SCHEMA"] else { return }
        try OldSchema(version: try #require(Int(number))).write()
    }

    @Test(arguments: OldSchema.earlier) func `has everything that was in it`(schema: OldSchema) throws {
        let disk = TestDisk(try schema.image())
        try withExtendedLifetime(disk) {
            var store: SQLiteStore? = try OldSchema.open(disk)
            let seen = try OldSchema.look(at: try #require(store), on: disk)
            #expect(try seen == schema.seen)
            // The digest that is kept is that of the records.
            for lane in Lane.allCases { _ = try LaneView(lane, of: try #require(store)) }
            store = nil
            for lane in Lane.allCases { #expect(try LaneDump(lane, on: disk).troubles == []) }
            #expect(try OldSchema.look(at: try OldSchema.open(disk), on: disk) == seen, "opened once more")
        }
    }

    /// A new store takes all that the old one holds, as another device would.
    @Test(arguments: OldSchema.earlier) func `comes to the same as one that is filled anew`(
        schema: OldSchema
    ) throws {
        let (disk, other) = (TestDisk(try schema.image()), TestDisk())
        try withExtendedLifetime((disk, other)) {
            let (store, fresh) = (try OldSchema.open(disk), try OldSchema.open(other))
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

    @Test(arguments: OldSchema.earlier.dropFirst()) func `comes back from a backup of that version`(
        schema: OldSchema
    ) throws {
        let (folder, disk, other) = (try TemporaryFolder(), TestDisk(try schema.image()), TestDisk())
        try withExtendedLifetime((disk, other)) {
            let path = folder.path + "/backup"
            let output = try BackupOutput(path: path, replaces: false)
            let written = try StoreBackup.write(
                BackedUpStore.manifest, of: "", to: output, watch: BackupWatch(), fileSystem: disk.name)
            try output.end()
            let input = try BackupInput(path: path, watch: BackupWatch())
            #expect(input.summary == written)
            try StoreRestoration.prepare(
                input, for: BackedUpStore.request, in: StoreFolder(other), watch: BackupWatch())
            try StoreRestoration.decide(in: StoreFolder(other))
            let store = try BackedUpStore.openFinished(other)
            #expect(try OldSchema.look(at: store, on: other) == schema.seen)
            #expect(try store.summary().order == BackedUpStore.order)
        }
    }

    @Test(arguments: OldSchema.earlier.dropFirst()) func `goes on writing as any other`(
        schema: OldSchema
    ) throws {
        let disk = TestDisk(try schema.image())
        try withExtendedLifetime(disk) {
            let store = try OldSchema.open(disk)
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

/// The opening of an earlier schema that is cut off, or finds no room.
@Suite struct `A migration that is cut off` {
    private static let old = OldSchema.earlier.dropFirst()

    private func version(_ lane: Lane, on disk: TestDisk) throws -> Int? {
        try RawDatabase(lane, on: disk)?.texts("PRAGMA user_version").first.flatMap { Int($0) }
    }

    /// A lane that is still of the old schema has all its rows, and one that is not is whole, too.
    private func demandWhole(_ schema: OldSchema, _ disk: TestDisk, _ before: [Lane: LaneDump]) throws {
        for lane in Lane.allCases {
            let found = try LaneDump(lane, on: disk)
            #expect(found.troubles == [])
            if try version(lane, on: disk) == schema.version {
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

    @Test(arguments: old) func `leaves each lane whole, and the next opening completes it`(
        schema: OldSchema
    ) throws {
        let image = try schema.image()
        let (before, seen) = (try dumps(image), try schema.seen)
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
            _ = try OldSchema.open(disk)
            disk.observe = nil
        }
        var halfway = 0
        for (number, cut) in cuts.enumerated() {
            let disk = TestDisk(cut)
            try withExtendedLifetime(disk) {
                try demandWhole(schema, disk, before)
                if try version(.index, on: disk) != Schema.newest { halfway += 1 }
                let found = try OldSchema.look(at: try OldSchema.open(disk), on: disk)
                #expect(found == seen, "cut \(number) of \(cuts.count)")
            }
        }
        print("Cut migrations: \(cuts.count) from \(schema), \(halfway) of them not done")
        #expect(halfway > 0 && halfway < cuts.count)
    }

    @Test(arguments: old) func `by a full disk leaves each lane whole`(schema: OldSchema) throws {
        let image = try schema.image()
        let (before, seen) = (try dumps(image), try schema.seen)
        let used = image.fileNames.reduce(0) { $0 + image.count(of: $1) }
        var refused = 0
        for room in stride(from: 0, through: 300_000, by: 8_192) {
            let disk = TestDisk(image)
            try withExtendedLifetime(disk) {
                disk.faults.capacity = used + room
                do {
                    _ = try OldSchema.open(disk)
                } catch let failure as StoreFailure {
                    #expect(failure.code == .full, "\(failure)")
                    refused += 1
                }
                disk.faults = DiskFaults()
                try demandWhole(schema, disk, before)
                #expect(try OldSchema.look(at: try OldSchema.open(disk), on: disk) == seen)
            }
        }
        #expect(refused > 0)
    }

    /// Not even the way in which SQLite keeps its journal is changed.
    @Test(arguments: [false, true]) func `from the future is not begun, and no byte is changed`(
        isJournaled: Bool
    ) throws {
        let disk = TestDisk()
        try withExtendedLifetime(disk) {
            if isJournaled {
                _ = try StoreContent.fill(disk)
            } else {
                for lane in Lane.allCases {
                    try LaneDraft(
                        path: "/\(lane).sqlite", schema: Schema.newest, fileSystem: disk.name
                    ).run("COMMIT")
                }
            }
            for lane in Lane.allCases {
                _ = try RawDatabase(lane, on: disk)?.texts("PRAGMA user_version = \(Schema.newest + 1)")
            }
            let files = disk.image.fileNames.filter { $0.hasSuffix(".sqlite") }
            let before = files.map { disk.image.bytes(of: $0) }
            #expect(files.count == 2)
            let failure = #expect(throws: StoreFailure.self) { try OldSchema.open(disk) }
            #expect(failure?.code == .newer)
            #expect(failure?.text.contains("newer version of Baton") == true)
            #expect(files.map { disk.image.bytes(of: $0) } == before)
        }
    }
}
