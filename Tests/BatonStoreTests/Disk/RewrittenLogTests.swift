import BatonCore
import Disks
import Support
import Testing

@testable import BatonStore

/// Transactions that do not fit into the page cache, so that SQLite writes some pages to its log several times.
@Suite struct `A log with pages that were written again` {
    /// With seed 32, a page was compared with the checksum of what it had before.
    @Test(arguments: Seeds.first(40))
    func `a killed process leaves each transaction as a whole or not at all`(seed: UInt64) throws {
        let notes = NotesDatabase(seed: seed)
        try withExtendedLifetime(notes) {
            let connection = try notes.open()
            for round in 0..<12 { try notes.change(connection, round) }
            #expect(connection.spillCount > 0 && notes.killCount > 12)
        }
    }

    @Test(arguments: Seeds.first(10), [false, true])
    func `a killed process leaves no partial transaction in an encrypted log`(
        seed: UInt64, harmsNeighbours: Bool
    ) throws {
        let notes = NotesDatabase(seed: seed, cipher: TestCipher(), harmsNeighbours: harmsNeighbours)
        try withExtendedLifetime(notes) {
            let connection = try notes.open()
            try connection.apply(.durable)
            for round in 0..<12 { try notes.change(connection, round) }
            #expect(connection.spillCount > 0 && notes.killCount > 12)
        }
    }

    @Test(arguments: [nil, TestCipher()])
    func `a frame that SQLite writes in two parts can be read`(cipher: TestCipher?) throws {
        var frames: [Bool: Int] = [:]
        for harmsNeighbours in [false, true] {
            let notes = NotesDatabase(seed: 1, cipher: cipher, harmsNeighbours: harmsNeighbours)
            try withExtendedLifetime(notes) {
                let connection = try notes.open()
                try connection.apply(.durable)
                for number in 0..<30 { try notes.add(connection, Int64(number)) }
                try notes.demandRows(connection)
                frames[harmsNeighbours] = notes.logBytes / (24 + 4096)
            }
        }
        // SQLite repeats a frame to fill the last sector, and the end of the sector is within the copy.
        #expect(try #require(frames[true]) > #require(frames[false]))
    }
}

/// A database with a small page cache on a test disk, whose rows are also kept in memory.
private final class NotesDatabase {
    private let disk: TestDisk
    private let cipher: TestCipher?
    private var generator: SeededGenerator
    private var rows: [Int64: String] = [:]
    /// The number of times that the files were opened as a killed process leaves them.
    private(set) var killCount = 0

    init(seed: UInt64, cipher: TestCipher? = nil, harmsNeighbours: Bool = false) {
        (disk, generator) = (TestDisk(seed: seed), SeededGenerator(seed: seed))
        self.cipher = cipher
        disk.faults.harmsNeighbours = harmsNeighbours
    }

    func open() throws(StoreFailure) -> Connection { try open(disk) }

    private func open(_ disk: TestDisk) throws(StoreFailure) -> Connection {
        let connection = try Connection(
            path: "/notes.sqlite", lane: .index, fileSystem: disk.name, cipher: cipher)
        try connection.apply(.writing)
        try connection.script(
            "PRAGMA cache_size = 8; CREATE TABLE IF NOT EXISTS notes (number INTEGER PRIMARY KEY, text TEXT)")
        return connection
    }

    // MARK: Reading

    private static func rows(_ connection: Connection) throws(StoreFailure) -> [Int64: String] {
        var rows: [Int64: String] = [:]
        try connection.statement("SELECT number, text FROM notes").rows([]) { (row) in
            rows[row.integer(0)] = row.text(1)
            return true
        }
        return rows
    }

    /// Opens the files of an image, and returns the rows.
    private func rows(_ image: DiskImage) throws(StoreFailure) -> [Int64: String] {
        let disk = TestDisk(image)
        defer { withExtendedLifetime(disk) {} }
        return try Self.rows(open(disk))
    }

    /// The number of bytes in SQLite's log.
    var logBytes: Int { disk.image.count(of: "notes.sqlite-wal") }

    /// Checks that the rows are there, both in the open database and after the process was killed.
    func demandRows(_ connection: Connection) throws {
        #expect(try Self.rows(connection) == rows)
        #expect(try rows(disk.image.afterProcesses) == rows)
    }

    // MARK: Writing

    /// Adds one row in a transaction of its own.
    func add(_ connection: Connection, _ number: Int64) throws {
        rows[number] = "note \(number)"
        try connection.run("INSERT INTO notes VALUES (?, ?)", .integer(number), .text("note \(number)"))
    }

    /// Runs a transaction that may be rolled back, and checks the rows that a kill at some moments of it leaves.
    func change(_ connection: Connection, _ round: Int) throws {
        var (kills, chances) = ([DiskImage](), SeededGenerator(seed: generator.next()))
        disk.observe = { [unowned disk] event in
            if case .change = event, chances.chance(2) { kills.append(disk.image.afterProcesses) }
        }
        var changed = rows
        try connection.script("BEGIN IMMEDIATE")
        // With few notes, the page that was spilled last is often written again.
        let most = generator.pick([9, 99])
        for change in 0..<generator.number(1...150) {
            let number = Int64(generator.number(0...most))
            let text = "\(round) \(change) " + String(repeating: "x", count: generator.number(0...9000))
            changed[number] = text
            try connection.run("INSERT OR REPLACE INTO notes VALUES (?, ?)", .integer(number), .text(text))
            if generator.chance(5) { #expect(try Self.rows(connection) == changed) }
        }
        let before = rows
        if generator.chance(75) {
            try connection.script("COMMIT")
            rows = changed
        } else {
            try connection.script("ROLLBACK")
        }
        disk.observe = nil
        #expect(try Self.rows(connection) == rows)
        for image in kills {
            let found = try rows(image)
            #expect(found == before || found == rows, "round \(round)")
        }
        #expect(try rows(disk.image.afterProcesses) == rows, "round \(round)")
        killCount += kills.count + 1
    }
}
