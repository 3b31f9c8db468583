import BatonCore
import CSQLite
import Disks
import Support
import Testing

@testable import BatonStore

/// Damaged pages that lead to others, whose rows are read page by page.
@Suite struct `A rescue that reads page by page` {
    private static let own = Life(after: .zero, of: StoreSeries.own, random: 1)

    private static func draft(_ number: Int, textBytes: Int) -> Journal.Draft {
        // Some rows need more than a page.
        let size = number % 50 == 0 ? 9000 : textBytes
        return RescuedStore.draft(number, "Note \(number)" + String(repeating: "x", count: size))
    }

    /// Makes a disk with items, of which every seventh was deleted; `hasJournal` leaves the last of it in the journal.
    private static func disk(items count: Int, textBytes: Int, hasJournal: Bool) throws -> DiskImage {
        let disk = TestDisk()
        return try withExtendedLifetime(disk) {
            var store: SQLiteStore? = try RescuedStore.open(disk).store
            var journal = Journal(life: own, latest: .zero)
            for first in stride(from: 0, to: count, by: 100) {
                let drafts = (first..<first + 100).map { draft($0, textBytes: textBytes) }
                let transaction = journal.transaction(.index, drafts, now: WallTime(milliseconds: 1))
                _ = try store?.commit(try #require(transaction))
            }
            let deletions = stride(from: 0, to: count, by: 7).map {
                Journal.Draft(.deletion, RescuedStore.name($0).key)
            }
            let transaction = journal.transaction(.index, deletions, now: WallTime(milliseconds: 2))
            _ = try store?.commit(try #require(transaction))
            if hasJournal { return disk.image.afterProcesses }
            store = nil
            return disk.image
        }
    }

    private static func all(_ count: Int) -> Set<String> {
        Set((0..<count).filter { $0 % 7 != 0 }.map { "note \($0)" })
    }

    /// Returns the number of the first page of a table or an index.
    private static func root(_ name: String, of image: DiskImage) throws -> Int {
        if name == "sqlite_schema" { return 1 }
        let disk = TestDisk(image)
        return try withExtendedLifetime(disk) {
            let found = try RawDatabase(.index, on: disk)?.texts(
                "SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'")
            return try #require(found?.first.flatMap { Int($0) })
        }
    }

    @Test(arguments: [
        "records", "usage", "records_by_scope", "sqlite_schema", "lives", "account", "progress", "notes",
        "further_writes", "sqlite_autoindex_records_1", "search_data",
    ])
    func `all items, and no deleted ones, are rescued if the first page of a table is damaged`(
        _ table: String
    )
        throws
    {
        var image = try Self.disk(items: 2000, textBytes: 40, hasJournal: false)
        image.flip("index.sqlite", at: (try Self.root(table, of: image) - 1) * 4096 + 2000, by: 0x10)
        let disk = TestDisk(image)
        try withExtendedLifetime(disk) {
            let (store, rescues) = try RescuedStore.open(disk, damaged: [.index])
            #expect(try RescuedStore.items(store) == Self.all(2000))
            let rescue = try #require(rescues.first)
            let tables = rescue.damaged.map(\.name)
            #expect(
                tables == [table.replacing("sqlite_autoindex_records_1", with: "records")]
                    || tables.count == 1)
            #expect(!disk.image.fileNames.contains { $0.contains(".salvaged") }, "\(disk.image.fileNames)")
            if ["records", "sqlite_schema"].contains(table) {
                #expect(rescue.isPageByPage && !rescue.hasLosses)
            }
        }
    }

    @Test(arguments: [false, true])
    func `damage to any page loses only rows on that page`(hasJournal: Bool) throws {
        let count = 1200
        let image = try Self.disk(items: count, textBytes: 1300, hasJournal: hasJournal)
        let (all, bytes) = (Self.all(count), image.bytes(of: "index.sqlite"))
        var generator = SeededGenerator(seed: Seeds.replayed ?? 1)
        let branches = (1..<bytes.count / 4096).filter { bytes[$0 * 4096] == 5 || bytes[$0 * 4096] == 2 }
        #expect(branches.count > 3)
        var (whole, lossy) = (0, 0)
        for page in branches + (0..<12).map({ _ in generator.number(0...bytes.count / 4096 - 1) }) {
            var damaged = image
            damaged.flip("index.sqlite", at: page * 4096 + generator.number(0...4095), by: 0x10)
            let disk = TestDisk(damaged)
            try withExtendedLifetime(disk) {
                let (store, rescues) = try RescuedStore.open(disk, damaged: [.index])
                let found = try RescuedStore.items(store)
                let lost = all.subtracting(found)
                #expect(found.isSubset(of: all) || hasJournal, "page \(page + 1)")
                // At most three such items have room on a page; one more may go on there.
                #expect(lost.count <= 4, "page \(page + 1): \(lost.count)")
                #expect(lost.isEmpty || rescues.first?.hasLosses == true)
                if lost.isEmpty { whole += 1 } else { lossy += 1 }
            }
        }
        #expect(whole >= branches.count, "pages that lead to others have no items")
    }

    // MARK: The reader of pages

    /// Returns the rows of a table as text, in order.
    private static func rows(_ table: String, _ connection: Connection) throws -> [String] {
        let columns = try connection.columns(of: table).map { "quote(\"\($0)\")" }.joined(
            separator: " || ',' || ")
        var rows: [String] = []
        try connection.statement("SELECT \(columns) FROM \(table) ORDER BY 1").rows([]) {
            (row) throws(StoreFailure) in
            rows.append(row.text(0))
            return true
        }
        return rows
    }

    /// Reads all pages of a lane on a disk; the closure gets a new database, and the one with the rows that were read.
    private static func salvage(
        _ lane: Lane, _ disk: TestDisk, _ body: (SalvagedDatabase) throws -> Void
    ) throws {
        let fresh = try Connection(path: "/fresh.sqlite", fileSystem: disk.name)
        try fresh.addTokenizer()
        try Schema.lane.prepare(fresh, path: "/fresh.sqlite")
        let files = LaneFiles(lane: lane, folder: StoreFolder(disk))
        let watch = RescueWatch()
        let survey = try PageSurvey(PageFile(files, isAlone: false), like: fresh.trees(), watch: watch)
        try body(
            try SalvagedDatabase(
                at: files.salvaged, survey, like: fresh, fileSystem: disk.name, watch: watch))
    }

    /// Makes a disk as a process leaves it that is killed after random steps.
    private static func disk(seed: UInt64) throws -> DiskImage {
        let disk = TestDisk(seed: seed)
        return try withExtendedLifetime(disk) {
            var series = StoreSeries(seed: seed)
            let store = try SQLiteStore(folder: "", account: StoreSeries.account, fileSystem: disk.name)
            for _ in 0..<40 {
                let step = series.next()
                if !step.isReopening { try series.take(step, try step.perform(store)) }
            }
            return disk.image.afterProcesses
        }
    }

    @Test(arguments: 1...UInt64(8))
    func `reading page by page finds the same rows as SQLite, with and without a journal`(seed: UInt64) throws
    {
        let image = try Self.disk(seed: Seeds.replayed ?? seed)
        for lane in Lane.allCases {
            let disk = TestDisk(image)
            try withExtendedLifetime(disk) {
                try Self.salvage(lane, disk) { salvaged in
                    #expect(!salvaged.hasLosses)
                    let sound = try Connection(
                        path: "/\(lane).sqlite", fileSystem: disk.name, isReading: true)
                    for table in SalvagedDatabase.tables {
                        #expect(
                            try Self.rows(table, salvaged.connection) == Self.rows(table, sound),
                            "\(table) of \(lane)")
                    }
                }
            }
        }
    }

    @Test(arguments: 1...UInt64(12))
    func `pages with any bytes and valid checksums are read without a crash`(seed: UInt64) throws {
        let image = try Self.disk(items: 200, textBytes: 40, hasJournal: false)
        var generator = SeededGenerator(seed: Seeds.replayed ?? seed)
        var bytes = image.bytes(of: "index.sqlite")
        for _ in 0..<generator.number(1...60) {
            let page = generator.number(0...bytes.count / 4096 - 1)
            switch generator.number(0...3) {
            case 0:
                // The numbers that say where the parts of a page are.
                for place in 0..<16 { bytes[page * 4096 + place] = UInt8(generator.number(0...255)) }
            case 1:
                let other = generator.number(0...bytes.count / 4096 - 1)
                bytes.replaceSubrange(
                    page * 4096..<(page + 1) * 4096, with: bytes[other * 4096..<(other + 1) * 4096])
            case 2: bytes[page * 4096] = generator.pick([2, 5, 10, 13])
            default:
                for _ in 0..<200 {
                    bytes[page * 4096 + generator.number(0...4087)] = UInt8(generator.number(0...255))
                }
            }
        }
        for page in 0..<bytes.count / 4096 {
            bytes[page * 4096..<(page + 1) * 4096].withUnsafeMutableBytes {
                DatabasePage.seal($0.baseAddress!, number: UInt64(page))
            }
        }
        var hostile = image
        hostile.put(bytes, as: "index.sqlite")
        let disk = TestDisk(hostile)
        try withExtendedLifetime(disk) {
            try Self.salvage(.index, disk) { salvaged in
                _ = try salvaged.connection.setting("page_count")
            }
            _ = try? RescuedStore.open(disk, damaged: [.index])
        }
    }
}
