import BatonCore
import CSQLite
import Glibc

/// A connection to one SQLite database.
///
/// Only one thread at a time may use the connection, so SQLite's own mutex is off.
@safe
final class Connection {
    let handle: OpaquePointer
    private let path: String
    /// The lane to which the database belongs.
    ///
    /// This is nil for a damaged database, and for a database that is filled from a backup or page by page.
    private let lane: Lane?
    /// The file system of the database.
    ///
    /// It must be released after `handle`, which uses it.
    private let fileSystem: CheckedFileSystem
    /// Whether damage was found: a wrong checksum, a broken structure, or a row that can't be read.
    var hasSeenDamage = false
    /// The number of pages in SQLite's log, which is kept up to date after `watchLog()` was called.
    private let log = LogLength()
    /// Counts the words that are added to full-text tables and removed from them.
    let tally = WordTally()
    /// A cache of the prepared statements.
    private var statements: [StatementText: Statement] = [:]
    /// The limit that ends statements that take too long.
    ///
    /// SQLite's progress handler has a pointer to the limit, so the connection must retain it.
    private var limit: StepLimit?

    /// Opens a database on the file system that is registered with SQLite under this name, or on the default one.
    ///
    /// If `isReading` is false, the database is created if there is none. If `isAlone` is true, the file is read
    /// without its journal and without locks. A file without a journal on a read-only disk is read in the same way,
    /// because SQLite would otherwise try to create a journal.
    ///
    /// `cipher` encrypts the files of a lane; nil leaves them plain. The rescue and the backup pass no cipher, because
    /// the owner of an encrypted store deletes it instead.
    init(
        path: String, lane: Lane? = nil, fileSystem: String?, cipher: (any PageCipher)? = nil,
        isReading: Bool = false, isAlone: Bool = false
    ) throws(StoreFailure) {
        var opened: OpaquePointer?
        self.fileSystem = try CheckedFileSystem(
            over: fileSystem, cipher: cipher, lane: lane ?? .index)
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
        // If a file can't be written, SQLite opens it for reading only, and reports this only at the first change.
        if !isReading, unsafe sqlite3_db_readonly(opened, "main") != 0 {
            throw StoreFailure(.readOnly, "\(path) can't be written")
        }
        try reserveChecksums()
        if cipher != nil { try apply(.withoutFiles) }
    }

    /// Creates the file of a new database, which only this user may read.
    ///
    /// SQLite gives its other files the same mode.
    ///
    /// An existing file is not opened, because closing it again would drop the locks that SQLite has on the file. If
    /// the file can't be created, SQLite reports this when it opens the database.
    private static func makePrivate(_ path: String) {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether a database is on a read-only disk and has no journal.
    private static func stands(_ path: String) -> Bool {
        unsafe access(path, W_OK) != 0 && errno == EROFS && access("\(path)-wal", F_OK) != 0
    }

    /// Returns a URI that tells SQLite that nobody changes the file.
    ///
    /// SQLite then ignores the journal and takes no locks.
    private static func immutable(_ path: String) -> String {
        let special: [Character: String] = ["%": "%25", "?": "%3f", "#": "%23"]
        return "file:\(path.map { special[$0] ?? String($0) }.joined())?immutable=1"
    }

    /// Sets whether SQLite keeps the journal when this connection is closed.
    ///
    /// By default, SQLite moves the journal into the database when the last connection is closed.
    func keepLog(_ keeps: Bool) throws(StoreFailure) {
        let code = unsafe CSQLite_keep_journal(handle, keeps ? 1 : 0)
        guard code == SQLITE_OK else { throw failure(code, doing: "keep the journal") }
    }

    /// Makes statements fail with `SQLITE_INTERRUPT` once the limit is reached; nil removes the limit.
    func limit(by limit: StepLimit?) {
        self.limit = limit
        guard let limit else { return unsafe sqlite3_progress_handler(handle, 0, nil, nil) }
        unsafe limit.install(on: handle)
    }

    /// Makes SQLite reserve space for a checksum in each page of a new database.
    private func reserveChecksums() throws(StoreFailure) {
        try apply(.pages)
        var count = Int32(DatabasePage.checksumBytes)
        let code = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &count)
        guard code == SQLITE_OK else { throw failure(code, doing: "reserve room for checksums") }
    }

    deinit {
        // Each statement is finalized by its own deinit. `sqlite3_close_v2` closes the database after the last of them.
        statements = [:]
        unsafe sqlite3_close_v2(handle)
    }

    /// Returns the prepared statement for this SQL text.
    ///
    /// Each text is prepared once.
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

    /// The number of times that pages were spilled.
    ///
    /// Pages are spilled, which means written to the journal before their transaction is committed, if the page cache
    /// is full.
    var spillCount: Int {
        var (now, most): (Int32, Int32) = (0, 0)
        let code = unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_SPILL, &now, &most, 0)
        precondition(code == SQLITE_OK, "every supported version of SQLite counts spilled pages")
        return Int(now)
    }

    /// The number of bytes of memory that the page cache takes.
    var cachedBytes: Int {
        var (now, most): (Int32, Int32) = (0, 0)
        let code = unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_USED, &now, &most, 0)
        precondition(code == SQLITE_OK, "every supported version of SQLite measures its pages")
        return Int(now)
    }

    /// Frees the memory of cached pages; returns false if SQLite could not free it.
    @discardableResult func releaseMemory() -> Bool { unsafe sqlite3_db_release_memory(handle) == SQLITE_OK }

    /// The number of pages in SQLite's log.
    var logPages: Int { log.pages }

    /// Makes SQLite report the length of its log after each commit.
    ///
    /// SQLite then no longer moves the log into the database by itself.
    @unsafe func watchLog() {
        // The connection, which retains `log`, outlives its handle.
        _ = unsafe sqlite3_wal_hook(handle, noteLogLength, Unmanaged.passUnretained(log).toOpaque())
    }

    /// Moves SQLite's log into the database, except pages of which a reader needs the old content.
    ///
    /// If `truncating` is true and the whole log was moved, the log is truncated.
    ///
    /// This does not wait for readers. It returns false if the disk failed. Linux may then drop pages that it failed to
    /// sync, so the caller must soon move the whole log again.
    func moveLog(truncating: Bool) -> Bool {
        let code = checkpoint(truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE)
        return code == SQLITE_OK || code & 0xff == SQLITE_BUSY
    }

    /// Moves the whole log into the database, and empties the log.
    ///
    /// It also frees the page cache, which may still have removed rows. Returns false if readers use the log, or if the
    /// disk failed.
    func eraseLog() -> Bool {
        guard checkpoint(SQLITE_CHECKPOINT_TRUNCATE) == SQLITE_OK else { return false }
        return releaseMemory()
    }

    /// Moves the log into the database in this mode, without waiting for readers; returns a code of SQLite.
    private func checkpoint(_ mode: Int32) -> Int32 {
        _ = unsafe sqlite3_busy_timeout(handle, 0)
        defer { _ = unsafe sqlite3_busy_timeout(handle, ConnectionSettings.patience) }
        var (pages, moved): (Int32, Int32) = (0, 0)
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &moved)
        if code == SQLITE_OK, mode == SQLITE_CHECKPOINT_TRUNCATE { log.pages = 0 }
        // Creating the failure also notes damage.
        if code != SQLITE_OK { _ = failure(code, doing: "move the log") }
        return code
    }

    /// The number of rows that the last statement changed.
    var lastChangeCount: Int { Int(unsafe sqlite3_changes64(handle)) }

    /// The rowid of the row that was inserted last.
    var lastInserted: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// The number of rows that were changed since the connection was opened, including changes that were undone.
    var changeCount: Int64 { unsafe sqlite3_total_changes64(handle) }

    /// Whether a transaction is open.
    ///
    /// After an error, SQLite may have rolled back the transaction by itself.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Whether the last statement failed because a constraint or a column's type refused the row.
    var hasRefusedRow: Bool {
        [SQLITE_CONSTRAINT, SQLITE_MISMATCH].contains(unsafe sqlite3_errcode(handle) & 0xff)
    }

    /// Returns the failure of the SQLite call that just returned this code.
    ///
    /// If the code means damage, the damage is noted.
    func failure(_ code: Int32, doing text: String) -> StoreFailure {
        let message = unsafe String(cString: sqlite3_errmsg(handle))
        let page = code == CheckedFile.damage ? fileSystem.damagedPage : nil
        let place = page.map { "page \($0) of " } ?? ""
        var failure = StoreFailure(
            code: code, doing: "\(text.prefix(while: { $0 != "\n" })) in \(place)\(path)", detail: message)
        guard failure.code == .damaged else { return failure }
        hasSeenDamage = true
        // `SQLITE_CORRUPT_VTAB` means that the content of a virtual table is damaged. The only virtual tables are
        // full-text tables.
        let isOfWords = code == SQLITE_CORRUPT | 1 << 8
        failure.damage = lane.map { StoreDamage(lane: $0, isOfWords: isOfWords) }
        return failure
    }
}

/// The number of pages in a log, which SQLite reports after each commit.
private final class LogLength {
    var pages = 0
}

/// Notes the length of the log.
///
/// SQLite calls this function after each commit.
private func noteLogLength(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ database: UnsafePointer<CChar>?,
    _ pages: Int32
) -> Int32 {
    if let context = unsafe context {
        unsafe Unmanaged<LogLength>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
    }
    return SQLITE_OK
}

/// The SQL text of a statement, as a key that is hashed by the length of the text.
///
/// Most texts have different lengths. Hashing the whole text would take longer than comparing it with one or two other
/// texts.
private struct StatementText: Hashable {
    let text: String

    func hash(into hasher: inout Hasher) { hasher.combine(text.utf8.count) }
}
