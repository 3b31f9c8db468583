import CSQLite

/// The codes that a file system returns to SQLite.
///
/// Most of these codes are macros that Swift does not import.
enum DiskCode {
    static let ok = SQLITE_OK
    static let busy = SQLITE_BUSY
    static let full = SQLITE_FULL
    static let readOnly = SQLITE_READONLY
    static let cannotOpen = SQLITE_CANTOPEN
    static let notFound = SQLITE_NOTFOUND
    static let read = SQLITE_IOERR | 1 << 8
    static let shortRead = SQLITE_IOERR | 2 << 8
    static let write = SQLITE_IOERR | 3 << 8
    static let sync = SQLITE_IOERR | 4 << 8
    static let truncate = SQLITE_IOERR | 6 << 8
    static let delete = SQLITE_IOERR | 10 << 8
    static let lock = SQLITE_IOERR | 15 << 8
    static let sharedMemoryLock = SQLITE_IOERR | 20 << 8
    static let nothingToDelete = SQLITE_IOERR | 23 << 8
}
