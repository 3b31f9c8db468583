import BatonCore

/// SQLite's settings for each kind of connection that a store opens.
struct ConnectionSettings {
    fileprivate let pragmas: String

    private init(_ pragmas: String) { self.pragmas = pragmas }

    /// The number of milliseconds that a connection waits for a lock that another process holds.
    static let patience: Int32 = 5000

    /// The page size, which is set first on every connection, before the file has any pages.
    static let pages = Self("PRAGMA page_size = \(DatabasePage.byteCount);")

    /// The waiting time for locks, which is set on a writing connection before it reads the content of the file.
    static let waiting = Self("PRAGMA busy_timeout = \(patience);")

    /// The settings of a connection that writes.
    ///
    /// They are set once the schema of the file was checked. The new database of a rescue has these settings, too.
    ///
    /// With a write-ahead log, readers and the writer do not wait for each other. The log is synced only at checkpoints
    /// (`NORMAL`). So a commit survives the end of the process. A power loss may undo the last commits, but never a
    /// part of a commit. `secure_delete` overwrites what a person deleted.
    ///
    /// The page cache has up to 12 MiB (a negative size is in KiB). If the pages of a transaction don't fit into the
    /// cache, SQLite writes them into the log early, reads them again, and writes them once more. With a cache of 1
    /// MiB, receiving a whole index took a third more processor time.
    ///
    /// The old pages that a savepoint may need are also kept in memory (`temp_store`), instead of in a file outside the
    /// folder.
    static let writing = Self(
        """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        PRAGMA foreign_keys = ON;
        PRAGMA secure_delete = ON;
        PRAGMA cache_size = -12288;
        PRAGMA temp_store = MEMORY;
        """)

    /// The settings of a connection that only reads: for a search, a backup, or the rescue of a damaged database.
    static let reading = Self("PRAGMA busy_timeout = \(patience); PRAGMA cache_size = -1024;")

    /// Keeps temporary tables in memory, because a temporary file would not be encrypted.
    static let withoutFiles = Self("PRAGMA temp_store = MEMORY;")

    /// A larger page cache for a connection that searches the index.
    ///
    /// Each search looks up words in the same pages of the full-text table.
    static let searching = Self("PRAGMA cache_size = -4096;")

    /// The settings of a connection that fills a new database for a restoration or a rescue.
    ///
    /// If this is interrupted, the database is removed, so it needs no journal and no syncs.
    static let drafting = Self(
        """
        PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF;
        PRAGMA cache_size = -8192;
        """)

    /// Makes SQLite sync the log with each commit, so that a commit survives a power loss.
    static let durable = Self("PRAGMA synchronous = FULL;")

    /// Makes SQLite sync the log only at checkpoints, as `writing` does.
    static let fast = Self("PRAGMA synchronous = NORMAL;")
}

extension Connection {
    /// Changes the settings of this connection.
    func apply(_ settings: ConnectionSettings) throws(StoreFailure) { try script(settings.pragmas) }

    /// Returns the numeric value of a setting, or zero if SQLite does not know the setting.
    func setting(_ name: String) throws(StoreFailure) -> Int64 {
        try statement("PRAGMA \(name)").first([]) { (row) throws(StoreFailure) in row.integer(0) } ?? 0
    }

    /// Returns the kind of journal that the database has.
    func journalMode() throws(StoreFailure) -> String? {
        try statement("PRAGMA journal_mode").first([]) { (row) throws(StoreFailure) in row.text(0) }
    }

    /// Moves the whole log into the database, and removes the log.
    ///
    /// Returns false if another program has the database open.
    func removeLog() throws(StoreFailure) -> Bool {
        let mode = try statement("PRAGMA journal_mode = DELETE").first([]) { (row) throws(StoreFailure) in
            row.text(0)
        }
        return mode == "delete"
    }

    /// Moves the whole log into the database.
    ///
    /// The next commit then overwrites the log from the beginning. Returns false if readers use the log.
    func restartLog() throws(StoreFailure) -> Bool {
        let isBusy = try statement("PRAGMA wal_checkpoint(RESTART)").first([]) { (row) throws(StoreFailure) in
            row.integer(0) != 0
        }
        return isBusy == false
    }
}
