import BatonCore

/// SQLite's write-ahead log of a lane, which is kept short.
extension LaneDatabase {
    /// How many pages the log may have before they are moved into the database, for which a commit waits for the disk.
    ///
    /// A change of an activity is ten pages, most of them the same ones. It may wait so long only rarely, because the
    /// person waits with it: less often than one in a hundred times, also on a disk that is busy with the index.
    private var movedPages: Int { lane == .activities ? 4000 : 1000 }

    /// How many pages the log may have before searches are held back and it is cut off.
    ///
    /// Where that was not possible, because a backup was being made, it is tried again after some more pages.
    private var cutOffPages: Int { logBytes / 4 / DatabasePage.byteCount }
    private static let triedAgainPages = 250

    /// Moves what was committed into the database, once there is enough of it; a log that grows too long is cut off.
    ///
    /// Where the disk fails here, all is moved once more with the next commit: Linux forgets what it failed to sync, so
    /// that a later report could not vouch for the log alone. Damage that is found is noted, and seen to as it is
    /// elsewhere.
    func shortenLog() {
        let pages = connection.logPages
        // The log was begun anew.
        if pages < movedAt { movedAt = 0 }
        if pages >= cutOffPages {
            if movedAt < cutOffPages || pages - movedAt >= Self.triedAgainPages { cutOffLog() }
        } else if pages - movedAt >= movedPages {
            if connection.moveLog(isCutOff: false) { movedAt = pages }
        }
    }

    /// Cuts the log off if it has grown long.
    func cutOffLog() {
        guard connection.logPages >= cutOffPages else { return }
        var isMoved = false
        readers.holdBack { isMoved = connection.moveLog(isCutOff: true) }
        // Where the disk failed, the next commit tries again.
        movedAt = isMoved ? connection.logPages : 0
    }
}

extension SQLiteLane {
    /// Cuts SQLite's log off if it has grown long while a backup was made.
    package func cutOffLog() { database.cutOffLog() }
}

extension SQLiteStore {
    /// How long the log of each lane may get.
    package var logBytes: Int {
        get { index.database.logBytes }
        set { for database in databases { database.logBytes = newValue } }
    }

    /// The gate that searches of the index pass.
    package var readers: ReaderGate {
        get { index.database.readers }
        set { index.database.readers = newValue }
    }
}
