import BatonStore
import CSQLite
import Testing

/// SQL that changes a database without its store.
enum SQLiteScript {
    /// Runs a script on the database at a path, as another program would.
    static func run(_ script: String, on path: String) throws {
        let files = try CheckedFileSystem(over: nil)
        try withExtendedLifetime(files) {
            var handle: OpaquePointer?
            defer { sqlite3_close(handle) }
            try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, files.name) == SQLITE_OK)
            try #require(sqlite3_busy_timeout(handle, 10_000) == SQLITE_OK)
            try #require(sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK)
        }
    }

    /// Returns the number in the first row that a query finds in the database at a path.
    static func number(_ query: String, on path: String) throws -> Int {
        let files = try CheckedFileSystem(over: nil)
        return try withExtendedLifetime(files) {
            var (handle, statement): (OpaquePointer?, OpaquePointer?)
            defer { sqlite3_close(handle) }
            try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, files.name) == SQLITE_OK)
            try #require(sqlite3_busy_timeout(handle, 10_000) == SQLITE_OK)
            try #require(sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK)
            defer { sqlite3_finalize(statement) }
            try #require(sqlite3_step(statement) == SQLITE_ROW)
            return Int(sqlite3_column_int64(statement, 0))
        }
    }
}
