import BatonCore

/// Keeps SQLite's write-ahead log of one lane short.
final class LaneLog {
    /// How long the log may get.
    var byteLimit = Limits().logBytes
    /// Whether the log is empty, so that nothing in it outlives its row; a log that was found may be not.
    private(set) var isErased = false
    /// Whether the log could not be emptied when that was tried last, because somebody read.
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

    /// How many pages the log may have before they are moved into the database, for which a commit waits for the disk.
    ///
    /// A change of an activity writes ten pages, mostly the same ones. A change may wait that long only rarely, because
    /// a person waits with it: less often than one time in a hundred, even on a disk that is busy with the index.
    private var movedPages: Int { lane == .activities ? 4000 : 1000 }

    /// How many pages the log may have before searches are held back and it is truncated.
    private var truncatedPages: Int { byteLimit / 4 / DatabasePage.byteCount }

    /// After how many more pages truncating is tried again, if a backup that was being made prevented it.
    private static let retryPages = 250

    /// Moves what was committed into the database, once there is enough of it; truncates a log that grows too long.
    ///
    /// Where the disk fails here, everything is moved again after the next commit: Linux forgets what it failed to
    /// sync, so that a later report could not vouch for the log alone. Damage that is found is noted, and the store
    /// is rescued because of it as it is elsewhere.
    func shorten() {
        isErased = false
        guard !isToErase else { return erase() }
        let pages = connection.logPages
        // The log was begun anew.
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
        // Where the disk failed, the next commit tries again.
        movedAt = isMoved ? connection.logPages : 0
    }
}
