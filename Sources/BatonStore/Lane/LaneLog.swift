import BatonCore

/// Keeps SQLite's write-ahead log of one lane short.
final class LaneLog {
    /// The largest number of bytes that the log may have.
    var byteLimit = Limits().logBytes
    /// Whether the log is known to be empty, and therefore holds no deleted rows.
    ///
    /// This is false when the database has just been opened, because the log of an earlier process may have content.
    private(set) var isErased = false
    /// Whether the last attempt to empty the log failed, usually because a reader was using the log.
    private(set) var isHeld = false
    /// Whether the log is to be emptied after the next commit.
    private var isToErase = false
    /// The gate that every search of this database passes.
    var readers = ReaderGate()

    private let lane: Lane
    private let connection: Connection
    /// The number of pages in the log when the log was last moved into the database.
    private var movedAt = 0

    init(_ rows: LaneRows) { (lane, connection) = (rows.lane, rows.connection) }

    /// The number of new pages in the log from which the log is moved into the database.
    ///
    /// Moving the log makes a commit wait for the disk.
    ///
    /// A change of an activity writes ten pages, mostly the same ten. A person waits for the change, so fewer than one
    /// change in a hundred may wait for the disk, even if the disk is busy with the index.
    private var movedPages: Int { lane == .activities ? 4000 : 1000 }

    /// The number of pages in the log from which searches are held back and the log is truncated.
    private var truncatedPages: Int { byteLimit / 4 / DatabasePage.byteCount }

    /// The number of further pages after which truncating is tried again, if a backup prevented it.
    private static let retryPages = 250

    /// Moves committed pages into the database once there are enough of them, and truncates the log if it is too long.
    ///
    /// If the disk fails here, all pages are moved again after the next commit. Linux forgets pages that it failed to
    /// sync, so a later report of what is durable could not rely on the log alone. If damage is found here, it is
    /// noted, and the store is rescued as after other damage.
    func shorten() {
        isErased = false
        guard !isToErase else { return erase() }
        let pages = connection.logPages
        // If there are fewer pages than before, SQLite has begun to overwrite the log from the beginning.
        if pages < movedAt { movedAt = 0 }
        if pages >= truncatedPages {
            if movedAt < truncatedPages || pages - movedAt >= Self.retryPages { truncateIfLong() }
        } else if pages - movedAt >= movedPages {
            if connection.moveLog(truncating: false) { movedAt = pages }
        }
    }

    /// Empties the log after the next commit, even if it is short.
    func eraseAfterCommit() { isToErase = true }

    private func erase() {
        isToErase = false
        readers.holdBack { isErased = connection.eraseLog() }
        isHeld = !isErased
        movedAt = 0
    }

    /// Truncates the log if it has grown long.
    func truncateIfLong() {
        guard connection.logPages >= truncatedPages else { return }
        var isMoved = false
        readers.holdBack { isMoved = connection.moveLog(truncating: true) }
        // If the disk failed, the next commit tries again.
        movedAt = isMoved ? connection.logPages : 0
    }
}
