import BatonCore

/// Keeps SQLite's write-ahead log of one lane short.
final class LaneLog {
    /// How long the log may get.
    var byteLimit = Limits().logBytes
    /// Whether the log is known to be empty, so that nothing in it outlives its row; false for a log found at opening.
    private(set) var isErased = false
    /// Whether the last attempt to empty the log failed, usually because somebody read.
    private(set) var isHeld = false
    /// Whether the log is to be emptied after the next commit.
    private var isToErase = false
    /// The gate that searches of this database pass.
    var readers = ReaderGate()

    private let lane: Lane
    private let connection: Connection
    /// How many pages the log had when it was last moved into the database.
    private var movedAt = 0

    init(_ rows: LaneRows) { (lane, connection) = (rows.lane, rows.connection) }

    /// How many pages the log may have before they are moved into the database, which makes a commit wait for the disk.
    ///
    /// A change of an activity writes ten pages, mostly the same ones. Since a person waits for the change, it may wait
    /// for the disk only rarely: less often than one time in a hundred, even on a disk that is busy with the index.
    private var movedPages: Int { lane == .activities ? 4000 : 1000 }

    /// How many pages the log may have before searches are held back and it is truncated.
    private var truncatedPages: Int { byteLimit / 4 / DatabasePage.byteCount }

    /// After how many more pages truncating is tried again, if a backup prevented it.
    private static let retryPages = 250

    /// Moves committed pages into the database once there are enough of them; truncates a log that grows too long.
    ///
    /// If the disk fails here, all pages are moved again after the next commit: Linux forgets pages that it failed to
    /// sync, so a later report could not rely on the log alone. Damage that is found is noted, and leads to a rescue of
    /// the store, as damage found elsewhere does.
    func shorten() {
        isErased = false
        guard !isToErase else { return erase() }
        let pages = connection.logPages
        // SQLite has begun to overwrite the log from its beginning.
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
