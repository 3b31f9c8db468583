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
}
