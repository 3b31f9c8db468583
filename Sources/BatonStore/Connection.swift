import BatonCore
import CSQLite
import Glibc

/// A connection to one SQLite database, used by one thread at a time.
///
/// SQLite's own locks are off, because nobody else ever uses the connection.
@safe
final class Connection {
    let handle: OpaquePointer
    private let path: String
    /// Goes after the handle, which uses it.
    private let fileSystem: CheckedFileSystem
    /// Whether something was read here that is not what was written.
    var hasSeenDamage = false
    /// How many pages stand in SQLite's log, once that is watched.
    private let log = LogLength()
    /// Statements that were prepared before, by their text.
    private var statements: [String: Statement] = [:]
    /// Ends statements that take too long; SQLite asks it for as long as it is here.
    private var limit: StepLimit?

    /// Opens a database on a file system that SQLite knows by that name, or the usual one, and makes it where there is
    /// none, unless it is only to be read.
    ///
    /// `isAlone` reads the file without its journal, as if nothing stood there; such a connection locks nothing. A file
    /// without a journal on a disk that can't be written is read so, too: SQLite would want to make one.
    init(
        path: String, fileSystem: String?, isReading: Bool = false, isAlone: Bool = false
    ) throws(StoreFailure) {
        var opened: OpaquePointer?
        self.fileSystem = try CheckedFileSystem(over: fileSystem)
        if fileSystem == nil, !isReading { Self.makePrivate(path) }
        let access = isReading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let isAlone = isAlone || isReading && fileSystem == nil && Self.stands(path)
        let flags =
            access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | (isAlone ? SQLITE_OPEN_URI : 0)
        let name = isAlone ? Self.immutable(path) : path
        let code = unsafe sqlite3_open_v2(name, &opened, flags, self.fileSystem.name)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            unsafe sqlite3_close_v2(opened)
            throw StoreFailure(code: code, doing: "open \(path)", detail: nil)
        }
        unsafe handle = opened
        self.path = path
        // SQLite opens what it may not write to read it, and says so with the first change only.
        if !isReading, unsafe sqlite3_db_readonly(opened, "main") != 0 {
            throw StoreFailure(.readOnly, "\(path) can't be written")
        }
        try reserveChecksums()
    }

    /// Makes the file of a database that is not there yet, for this user alone; SQLite gives its other files the same
    /// mode.
    ///
    /// A file that is there is left alone: to open and close it here would take away the locks that SQLite has on it.
    /// Where none can be made, SQLite finds that out in a moment, and says so.
    private static func makePrivate(_ path: String) {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether a database lies on a disk that can't be written, and all of it in the one file.
    private static func stands(_ path: String) -> Bool {
        unsafe access(path, W_OK) != 0 && errno == EROFS && access("\(path)-wal", F_OK) != 0
    }

    /// The name by which SQLite opens a file that nobody changes, and looks for no journal.
    private static func immutable(_ path: String) -> String {
        let special: [Character: String] = ["%": "%25", "?": "%3f", "#": "%23"]
        return "file:\(path.map { special[$0] ?? String($0) }.joined())?immutable=1"
    }

    /// Has SQLite leave the journal as it is when this connection is closed, or write it into the database as usual.
    func keepJournal(_ keeps: Bool) throws(StoreFailure) {
        let code = unsafe CSQLite_keep_journal(handle, keeps ? 1 : 0)
        guard code == SQLITE_OK else { throw failure(code, doing: "keep the journal") }
    }

    /// Has statements fail with `SQLITE_INTERRUPT` once the limit demands it, or removes the limit.
    func limit(by limit: StepLimit?) {
        self.limit = limit
        guard let limit else { return unsafe sqlite3_progress_handler(handle, 0, nil, nil) }
        unsafe limit.install(on: handle)
    }

    /// Has SQLite leave room for a checksum in each page of a database that begins.
    private func reserveChecksums() throws(StoreFailure) {
        try apply(.pages)
        var count = Int32(DatabasePage.checksumBytes)
        let code = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &count)
        guard code == SQLITE_OK else { throw failure(code, doing: "reserve room for checksums") }
    }

    deinit {
        // Statements are finalized by their own deinit; close_v2 waits for the last of them.
        statements = [:]
        unsafe sqlite3_close_v2(handle)
    }

    /// The statement of this text, ready to be bound; it is prepared once.
    func statement(_ text: String) throws(StoreFailure) -> Statement {
        if let statement = statements[text] { return statement }
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw failure(code, doing: text) }
        let statement = unsafe Statement(owning: prepared, text: text, connection: self)
        statements[text] = statement
        return statement
    }

    /// Runs a statement that answers nothing.
    func run(_ text: String, _ values: SQLiteValue...) throws(StoreFailure) {
        try statement(text).run(values)
    }

    /// Runs several statements that answer nothing of interest.
    func script(_ text: String) throws(StoreFailure) {
        let code = unsafe sqlite3_exec(handle, text, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, doing: text) }
    }

    /// Runs the closure in a transaction of its own.
    func atomically(_ body: () throws(StoreFailure) -> Void) throws(StoreFailure) {
        try script("BEGIN IMMEDIATE")
        do {
            try body()
            try script("COMMIT")
        } catch {
            if isInTransaction { try script("ROLLBACK") }
            throw error
        }
    }

    /// How many steps SQLite's machine has made so far.
    var steps: Int { statements.values.reduce(0) { $0 + $1.steps } }

    /// How often pages went to the journal before their transaction was committed, because there was no room for them in
    /// memory.
    var spillCount: Int {
        var (now, most): (Int32, Int32) = (0, 0)
        let code = unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_SPILL, &now, &most, 0)
        precondition(code == SQLITE_OK, "every version that is used knows this number")
        return Int(now)
    }

    /// How many pages stand in SQLite's log.
    var logPages: Int { log.pages }

    /// Has SQLite tell after each commit how long its log is, instead of moving it by itself.
    @unsafe func watchLog() {
        // The connection outlives its handle, and with it the length.
        _ = unsafe sqlite3_wal_hook(handle, noteLogLength, Unmanaged.passUnretained(log).toOpaque())
    }

    /// Moves what stands in SQLite's log into the database, as far as nobody reads what was there before; cut off, if
    /// all of it was moved and nobody reads it.
    ///
    /// It waits for nobody, and answers false if the disk failed: then what was to be synced may be forgotten, and only
    /// moving all of it once more, soon, brings it to the disk for good.
    func moveLog(truncating: Bool) -> Bool {
        _ = unsafe sqlite3_busy_timeout(handle, 0)
        defer { _ = unsafe sqlite3_busy_timeout(handle, ConnectionSettings.patience) }
        var (pages, moved): (Int32, Int32) = (0, 0)
        let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &moved)
        if code == SQLITE_OK, truncating { log.pages = 0 }
        // It takes note of damage.
        if code != SQLITE_OK { _ = failure(code, doing: "move the log") }
        return code == SQLITE_OK || code & 0xff == SQLITE_BUSY
    }

    /// How many rows the last statement changed.
    var lastChangeCount: Int { Int(unsafe sqlite3_changes64(handle)) }

    /// The number of the row that was inserted last.
    var lastInserted: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// How many rows were changed so far.
    var changeCount: Int64 { unsafe sqlite3_total_changes64(handle) }

    /// Whether a transaction is open; SQLite may have rolled it back by itself after an error.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Whether the last statement failed because a table can't hold the row.
    var hasRefusedRow: Bool {
        [SQLITE_CONSTRAINT, SQLITE_MISMATCH].contains(unsafe sqlite3_errcode(handle) & 0xff)
    }

    /// What SQLite says went wrong just now.
    func failure(_ code: Int32, doing text: String) -> StoreFailure {
        let message = unsafe String(cString: sqlite3_errmsg(handle))
        let failure = StoreFailure(
            code: code, doing: "\(text.prefix(while: { $0 != "\n" })) in \(path)", detail: message)
        if failure.code == .damaged { hasSeenDamage = true }
        return failure
    }
}

/// How many pages a log has, as SQLite says after each commit.
private final class LogLength {
    var pages = 0
}

/// Called by SQLite after a commit.
private func noteLogLength(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ database: UnsafePointer<CChar>?,
    _ pages: Int32
) -> Int32 {
    if let context = unsafe context {
        unsafe Unmanaged<LogLength>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
    }
    return SQLITE_OK
}
