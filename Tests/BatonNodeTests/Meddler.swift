import BatonCore
import CSQLite
import Testing

/// Another program at the index of a node: it reads, holds it, and changes it.
final class Meddler {
    private var handle: OpaquePointer?

    init(_ node: RunningNode) throws {
        let path = node.home.account() + "/index.sqlite"
        try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, "unix") == SQLITE_OK)
        sqlite3_busy_timeout(handle, 20_000)
    }

    deinit { sqlite3_close(handle) }

    /// Keeps the node from writing.
    func hold() throws { try run("BEGIN IMMEDIATE") }

    func letGo() { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }

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
