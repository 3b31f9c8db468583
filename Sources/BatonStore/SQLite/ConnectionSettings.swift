import BatonCore

/// SQLite's settings for each kind of connection that a store opens.
struct ConnectionSettings {
    fileprivate let pragmas: String

    private init(_ pragmas: String) { self.pragmas = pragmas }

    /// How many milliseconds a connection waits for a lock that another process has.
    static let patience: Int32 = 5000

    /// Set first on every connection, before the file has any pages.
    static let pages = Self("PRAGMA page_size = \(DatabasePage.byteCount);")

    /// Set on a connection that writes, before it reads the content of the file.
    static let waiting = Self("PRAGMA busy_timeout = \(patience);")

    /// Set on a connection that writes, also into the new database of a rescue, once the file is known to be a lane of
    /// this account.
    ///
    /// With a write-ahead log, readers and the writer do not wait for each other. The log is synced only at checkpoints
    /// (`NORMAL`), so a commit survives the end of the process; a power loss may undo the last commits, but never a
    /// part of one. `secure_delete` overwrites what a person deleted. The page cache is SQLite's own, here up to 12 MiB
    /// (a negative size is in KiB): SQLite evicts pages by itself, and each page is checked when it is read from the
    /// file. A transaction whose pages don't fit writes them into the log early, reads them again, and writes them once
    /// more; with 1 MiB, receiving a whole index took a third more processor time. The old pages that a savepoint may
    /// need also stay in memory, instead of in a file outside the folder.
    static let writing = Self(
        """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        PRAGMA foreign_keys = ON;
        PRAGMA secure_delete = ON;
        PRAGMA cache_size = -12288;
        PRAGMA temp_store = MEMORY;
        """)

    /// Set on a connection that reads beside a writer, for a search or a backup, and on one that reads a damaged
    /// database for its rescue.
    static let reading = Self("PRAGMA busy_timeout = \(patience); PRAGMA cache_size = -1024;")

    /// Set on a connection that searches the index: each search looks up words in the same pages of the full-text
    /// table.
    static let searching = Self("PRAGMA cache_size = -4096;")

    /// Set on a connection that restores a backup: it fills a database which is thrown away unless it is completed.
    static let drafting = Self(
        """
        PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF;
        PRAGMA cache_size = -8192;
        """)

    /// Syncs the log with each commit, so that a commit survives a power loss.
    static let durable = Self("PRAGMA synchronous = FULL;")

    /// Syncs the log at checkpoints only, as `writing` does.
    static let fast = Self("PRAGMA synchronous = NORMAL;")
}

extension Connection {
    /// Changes the settings of this connection.
    func apply(_ settings: ConnectionSettings) throws(StoreFailure) { try script(settings.pragmas) }

    /// Returns the number that a setting has, or zero if SQLite does not know the setting.
    func setting(_ name: String) throws(StoreFailure) -> Int64 {
        try statement("PRAGMA \(name)").first([]) { (row) throws(StoreFailure) in row.integer(0) } ?? 0
    }

    /// Returns the kind of journal that the database has.
    func journalMode() throws(StoreFailure) -> String? {
        try statement("PRAGMA journal_mode").first([]) { (row) throws(StoreFailure) in row.text(0) }
    }

    /// Moves all of the log into the database and removes the log; returns false if another program has the database
    /// open.
    func removeLog() throws(StoreFailure) -> Bool {
        let mode = try statement("PRAGMA journal_mode = DELETE").first([]) { (row) throws(StoreFailure) in
            row.text(0)
        }
        return mode == "delete"
    }

    /// Moves all of the log into the database, so that the next commit overwrites the log from its beginning; returns
    /// false if the log has readers.
    func restartLog() throws(StoreFailure) -> Bool {
        let isBusy = try statement("PRAGMA wal_checkpoint(RESTART)").first([]) { (row) throws(StoreFailure) in
            row.integer(0) != 0
        }
        return isBusy == false
    }
}
