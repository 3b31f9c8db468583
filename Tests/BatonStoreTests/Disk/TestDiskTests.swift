import CSQLite
import Disks
import Support
import Testing

/// The disk in memory, tested with plain SQLite and alone.
@Suite struct `A test disk` {
    /// Runs a script on a database; returns SQLite's code.
    @discardableResult
    private func run(_ script: String, on disk: TestDisk) -> Int32 {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        let code = sqlite3_open_v2(
            "/a.sqlite", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, disk.name)
        return code == SQLITE_OK ? sqlite3_exec(handle, script, nil, nil, nil) : code
    }

    /// Returns the number of rows; nil if there is no table.
    private func rows(on image: DiskImage) -> Int? {
        let disk = TestDisk(image)
        var (handle, statement): (OpaquePointer?, OpaquePointer?) = (nil, nil)
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(handle)
        }
        sqlite3_open_v2("/a.sqlite", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, disk.name)
        guard sqlite3_prepare_v2(handle, "SELECT count(*) FROM t", -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        return Int(sqlite3_column_int(statement, 0))
    }

    @Test(arguments: ["DELETE", "TRUNCATE", "PERSIST", "WAL"])
    func `data that SQLite synced survives a power loss, in every mode`(mode: String) {
        let disk = TestDisk()
        var generator = SeededGenerator(seed: 1)
        let pragmas = "PRAGMA journal_mode = \(mode); PRAGMA synchronous = EXTRA;"
        #expect(run(pragmas + "CREATE TABLE t (x); INSERT INTO t VALUES (1);", on: disk) == SQLITE_OK)
        #expect(run(pragmas + "INSERT INTO t VALUES (2);", on: disk) == SQLITE_OK)
        for loss in PowerLoss.allCases {
            #expect(rows(on: disk.image.afterPowerLoss(loss, &generator)) == 2, "\(loss)")
        }
    }

    @Test func `data that was not synced is lost or torn by a power loss`() {
        let disk = TestDisk()
        var generator = SeededGenerator(seed: 1)
        #expect(
            run("PRAGMA synchronous = OFF; CREATE TABLE t (x); INSERT INTO t VALUES (1);", on: disk)
                == SQLITE_OK)
        #expect(rows(on: disk.image) == 1)
        #expect(rows(on: disk.image.afterProcesses) == 1)
        #expect(rows(on: disk.image.afterPowerLoss(.keeps, &generator)) == 1)
        #expect(rows(on: disk.image.afterPowerLoss(.forgets, &generator)) == nil)
        let torn = (0..<50).map { _ in disk.image.afterPowerLoss(.tears, &generator).bytes(of: "a.sqlite") }
        #expect(Set(torn).count > 5, "there are many ways to be torn")
    }

    @Test func `a test disk fails as configured, and works again afterwards`() {
        let disk = TestDisk()
        let insert = "INSERT INTO t VALUES (randomblob(100000));"
        #expect(run("CREATE TABLE t (x);" + insert, on: disk) == SQLITE_OK)
        disk.faults.capacity = disk.image.count(of: "a.sqlite") + 50_000
        #expect(run(insert, on: disk) == SQLITE_FULL)
        disk.faults = DiskFaults()
        disk.faults.isReadOnly = true
        #expect(run(insert, on: disk) == SQLITE_READONLY)
        disk.faults = DiskFaults()
        disk.faults.hasLocks = false
        #expect(run(insert, on: disk) == SQLITE_IOERR)
        for operation in [DiskOperation.write, .sync, .read] {
            disk.faults = DiskFaults()
            disk.faults.failure = DiskFaults.Failure(operation, after: 1, isLasting: false)
            #expect(run(insert, on: disk) == SQLITE_IOERR, "\(operation)")
        }
        disk.faults = DiskFaults()
        #expect(run(insert, on: disk) == SQLITE_OK)
        #expect(rows(on: disk.image) == 2)
    }

    @Test func `two connections to a test disk wait for each other`() {
        let disk = TestDisk()
        run("PRAGMA journal_mode = WAL; CREATE TABLE t (x);", on: disk)
        let open = {
            var handle: OpaquePointer?
            sqlite3_open_v2("/a.sqlite", &handle, SQLITE_OPEN_READWRITE, disk.name)
            return handle
        }
        let (one, other) = (open(), open())
        defer { for handle in [one, other] { sqlite3_close(handle) } }
        #expect(sqlite3_exec(one, "BEGIN IMMEDIATE; INSERT INTO t VALUES (1);", nil, nil, nil) == SQLITE_OK)
        #expect(
            sqlite3_exec(other, "PRAGMA busy_timeout = 5000; SELECT * FROM t;", nil, nil, nil) == SQLITE_OK)
        #expect(sqlite3_exec(other, "INSERT INTO t VALUES (2);", nil, nil, nil) == SQLITE_BUSY)
        #expect(sqlite3_exec(one, "COMMIT", nil, nil, nil) == SQLITE_OK)
        #expect(sqlite3_exec(other, "INSERT INTO t VALUES (2);", nil, nil, nil) == SQLITE_OK)
        #expect(rows(on: disk.image) == 2)
    }
}
