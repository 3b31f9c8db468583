import BatonCore
import CSQLite

extension StoreFailure {
    /// What a result code of SQLite means for a node and for a person.
    init(code: Int32, doing operation: String, detail: String?) {
        let meaning = unsafe detail ?? String(cString: sqlite3_errstr(code))
        let kind: Code =
            switch code & 0xff {
            case SQLITE_FULL: .full
            case SQLITE_BUSY, SQLITE_LOCKED: .locked
            case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
            default: .failed
            }
        self.init(kind, "\(meaning) (SQLite \(code), at: \(operation))")
    }

    /// What stands in the store is not what this program wrote there.
    init(damaged error: CBORError, in path: String) {
        self.init(.damaged, "a row of \(path) can't be read: \(error)")
    }
}
