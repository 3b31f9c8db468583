import BatonCore
import CSQLite

extension StoreFailure {
    /// Creates the failure for a result code of SQLite.
    ///
    /// The node uses the code of the failure, and a person reads its text.
    init(code: Int32, doing operation: String, detail: String?) {
        guard code != CheckedFile.damage else {
            self.init(.damaged, "the data read is not the data written (at: \(operation))")
            return
        }
        guard !Self.lockFailures.contains(code) else {
            self.init(
                .failed,
                "the file system can't lock files; move the home to a local disk (SQLite \(code), at: \(operation))"
            )
            return
        }
        let meaning = unsafe detail ?? String(cString: sqlite3_errstr(code))
        let kind: Code =
            switch code & 0xff {
            case SQLITE_FULL: .full
            case SQLITE_BUSY, SQLITE_LOCKED: .locked
            case SQLITE_READONLY: .readOnly
            case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
            default: .failed
            }
        self.init(kind, "\(meaning) (SQLite \(code), at: \(operation))")
    }

    /// The codes that SQLite returns if a file system has no locks on files or on shared memory.
    private static let lockFailures = [
        SQLITE_IOERR | 15 << 8, SQLITE_IOERR | 14 << 8, SQLITE_IOERR | 20 << 8, SQLITE_PROTOCOL,
    ]

    /// Creates the failure for a row that can't be decoded.
    init(damaged error: CBORError, in path: String) {
        self.init(.damaged, "a row of \(path) can't be read: \(error)")
    }
}
