import BatonCore
import CSQLite
import Testing

/// Another program that has the index database of a node open, reads it, locks it and changes it.
final class OtherProgram {
    private var handle: OpaquePointer?

    init(_ node: RunningNode) throws {
        let path = node.home.account() + "/index.sqlite"
        try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, "unix") == SQLITE_OK)
        sqlite3_busy_timeout(handle, 20_000)
    }

    deinit { sqlite3_close(handle) }

    /// Locks the database, so that the node can't write.
    func lock() throws { try run("BEGIN IMMEDIATE") }

    /// Releases the lock.
    func unlock() { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }

    func run(_ script: String) throws {
        try #require(sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK)
    }

    /// Whether the index has a report of the device.
    func hasReport(of device: DeviceIdentifier) throws -> Bool {
        let name = device.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        var statement: OpaquePointer?
        let query = "SELECT count(*) FROM reports WHERE device = x'\(name)'"
        try #require(sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        try #require(sqlite3_step(statement) == SQLITE_ROW)
        return sqlite3_column_int(statement, 0) > 0
    }
}
