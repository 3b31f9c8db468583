import BatonCore
import CSQLite
import Glibc

/// A connection to one SQLite database, used by one thread at a time.
///
/// SQLite's own mutex is off, because only one thread at a time uses the connection.
@safe
final class Connection {
    let handle: OpaquePointer
    private let path: String
    /// The lane to which the database belongs; nil if it is not a lane's database.
    private let lane: Lane?
    /// Released after the handle, which uses it.
    private let fileSystem: CheckedFileSystem
    /// Whether damage was found: a wrong checksum, a broken structure, or a row that can't be read.
    var hasSeenDamage = false
    /// The number of pages in SQLite's log, once `watchLog()` was called.
    private let log = LogLength()
    /// Counts the words that full-text tables gain and lose.
    let tally = WordTally()
    /// Prepared statements by their text.
    private var statements: [StatementText: Statement] = [:]
    /// Ends statements that take too long; SQLite's progress handler refers to it.
    private var limit: StepLimit?

    /// Opens a database on the file system that SQLite knows by this name, or on the default one.
    ///
    /// The database is created if there is none, unless `isReading`. With `isAlone` the file is read without its
    /// journal, and nothing is locked. A file without a journal on a read-only disk is also read that way, because
    /// SQLite would try to create a journal.
    init(
        path: String, lane: Lane? = nil, fileSystem: String?, isReading: Bool = false, isAlone: Bool = false
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
        (self.path, self.lane) = (path, lane)
        // SQLite opens an unwritable file for reading, and reports that only at the first change.
        if !isReading, unsafe sqlite3_db_readonly(opened, "main") != 0 {
            throw StoreFailure(.readOnly, "\(path) can't be written")
        }
        try reserveChecksums()
    }

    /// Makes the file of a new database readable by this user alone; SQLite gives its other files the same mode.
    ///
    /// An existing file is left alone: opening and closing it here would drop the locks that SQLite has on it. If the
    /// file can't be made, SQLite reports that a moment later.
    private static func makePrivate(_ path: String) {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether a database is on a read-only disk and has no journal.
    private static func stands(_ path: String) -> Bool {
        unsafe access(path, W_OK) != 0 && errno == EROFS && access("\(path)-wal", F_OK) != 0
    }

    /// Returns the URI by which SQLite opens a file that nobody changes, without looking for a journal.
    private static func immutable(_ path: String) -> String {
        let special: [Character: String] = ["%": "%25", "?": "%3f", "#": "%23"]
        return "file:\(path.map { special[$0] ?? String($0) }.joined())?immutable=1"
    }

    /// Makes SQLite leave the journal as it is when this connection is closed, or move it into the database as usual.
    func keepLog(_ keeps: Bool) throws(StoreFailure) {
        let code = unsafe CSQLite_keep_journal(handle, keeps ? 1 : 0)
        guard code == SQLITE_OK else { throw failure(code, doing: "keep the journal") }
    }

    /// Makes statements fail with `SQLITE_INTERRUPT` once the limit demands it, or removes the limit.
    func limit(by limit: StepLimit?) {
        self.limit = limit
        guard let limit else { return unsafe sqlite3_progress_handler(handle, 0, nil, nil) }
        unsafe limit.install(on: handle)
    }

    /// Makes SQLite leave room for a checksum in each page of a new database.
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

    /// Returns the statement of this text, ready to be bound; each text is prepared once.
    func statement(_ text: String) throws(StoreFailure) -> Statement {
        let key = StatementText(text: text)
        if let statement = statements[key] { return statement }
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw failure(code, doing: text) }
        let statement = unsafe Statement(owning: prepared, text: text, connection: self)
        statements[key] = statement
        return statement
    }

    /// Runs a statement that returns no rows.
    func run(_ text: String, _ values: SQLiteValue...) throws(StoreFailure) {
        try statement(text).run(values)
    }

    /// Runs several statements and ignores their rows.
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

    /// The number of steps that SQLite's virtual machine has made.
    var steps: Int { statements.values.reduce(0) { $0 + $1.steps } }

    /// How many times pages were spilled: written to the journal before their transaction was committed, because the
    /// page cache was full.
    var spillCount: Int {
        var (now, most): (Int32, Int32) = (0, 0)
        let code = unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_SPILL, &now, &most, 0)
        precondition(code == SQLITE_OK, "every supported version of SQLite counts spilled pages")
        return Int(now)
    }

    /// The number of bytes that the cached pages take.
    var cachedBytes: Int {
        var (now, most): (Int32, Int32) = (0, 0)
        let code = unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_USED, &now, &most, 0)
        precondition(code == SQLITE_OK, "every supported version of SQLite measures its pages")
        return Int(now)
    }

    /// Frees the memory of cached pages; returns false if SQLite could not.
    @discardableResult func releaseMemory() -> Bool { unsafe sqlite3_db_release_memory(handle) == SQLITE_OK }

    /// The number of pages in SQLite's log.
    var logPages: Int { log.pages }

    /// Makes SQLite report the length of its log after each commit, instead of moving it into the database by itself.
    @unsafe func watchLog() {
        // The connection, and with it the length, outlives its handle.
        _ = unsafe sqlite3_wal_hook(handle, noteLogLength, Unmanaged.passUnretained(log).toOpaque())
    }

    /// Moves SQLite's log into the database, except pages whose old content a reader needs; truncates the log if
    /// `truncating` and all of it was moved.
    ///
    /// It does not wait for readers. It returns false if the disk failed: Linux may then drop pages that it failed to
    /// sync, and only moving the whole log again, soon, brings them to the disk.
    func moveLog(truncating: Bool) -> Bool {
        let code = checkpoint(truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE)
        return code == SQLITE_OK || code & 0xff == SQLITE_BUSY
    }

    /// Moves all of the log into the database, empties the log, and frees the page cache, in which removed rows may be
    /// left; returns false if the log has readers, or the disk failed.
    func eraseLog() -> Bool {
        guard checkpoint(SQLITE_CHECKPOINT_TRUNCATE) == SQLITE_OK else { return false }
        return releaseMemory()
    }

    /// Moves the log in this mode, without waiting; returns a code of SQLite.
    private func checkpoint(_ mode: Int32) -> Int32 {
        _ = unsafe sqlite3_busy_timeout(handle, 0)
        defer { _ = unsafe sqlite3_busy_timeout(handle, ConnectionSettings.patience) }
        var (pages, moved): (Int32, Int32) = (0, 0)
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &moved)
        if code == SQLITE_OK, mode == SQLITE_CHECKPOINT_TRUNCATE { log.pages = 0 }
        // Creating the failure also records damage.
        if code != SQLITE_OK { _ = failure(code, doing: "move the log") }
        return code
    }

    /// The number of rows that the last statement changed.
    var lastChangeCount: Int { Int(unsafe sqlite3_changes64(handle)) }

    /// The rowid of the row that was inserted last.
    var lastInserted: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// The number of rows that were changed, including changes that were undone.
    var changeCount: Int64 { unsafe sqlite3_total_changes64(handle) }

    /// Whether a transaction is open; SQLite may have rolled it back by itself after an error.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Whether the last statement failed because a constraint or a column's type refused the row.
    var hasRefusedRow: Bool {
        [SQLITE_CONSTRAINT, SQLITE_MISMATCH].contains(unsafe sqlite3_errcode(handle) & 0xff)
    }

    /// Returns the failure of the call that just returned this code, and notes damage.
    func failure(_ code: Int32, doing text: String) -> StoreFailure {
        let message = unsafe String(cString: sqlite3_errmsg(handle))
        let page = code == CheckedFile.damage ? fileSystem.damagedPage : nil
        let place = page.map { "page \($0) of " } ?? ""
        var failure = StoreFailure(
            code: code, doing: "\(text.prefix(while: { $0 != "\n" })) in \(place)\(path)", detail: message)
        guard failure.code == .damaged else { return failure }
        hasSeenDamage = true
        // Only full-text tables are virtual tables, which report damage of their own content by `SQLITE_CORRUPT_VTAB`.
        let isOfWords = code == SQLITE_CORRUPT | 1 << 8
        failure.damage = lane.map { StoreDamage(lane: $0, isOfWords: isOfWords) }
        return failure
    }
}

/// The number of pages in a log, as SQLite reports it after each commit.
private final class LogLength {
    var pages = 0
}

/// Notes the length of the log; SQLite calls it after each commit.
private func noteLogLength(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ database: UnsafePointer<CChar>?,
    _ pages: Int32
) -> Int32 {
    if let context = unsafe context {
        unsafe Unmanaged<LogLength>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
    }
    return SQLITE_OK
}

/// The text of a statement as a key that is hashed by its length: most texts differ in length, and hashing a text takes
/// longer than comparing it with one or two others.
private struct StatementText: Hashable {
    let text: String

    func hash(into hasher: inout Hasher) { hasher.combine(text.utf8.count) }
}
