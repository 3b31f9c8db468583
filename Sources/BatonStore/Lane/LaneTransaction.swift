import BatonCore

/// The open transaction of a lane, and the state of the lane, which is restored if the transaction fails.
///
/// A transaction opens with the first commit of a group and ends with `finish(_:)`.
final class LaneTransaction {
    /// The state of the lane as a whole.
    var state = LaneState()
    /// The changes of this transaction that the full-text table does not have yet.
    var words = SearchQueue()
    /// Whether a step of a batch is being merged, whose words may be counted later.
    var isMergingStep = false
    /// The largest number of records that one clear or batch changes in its own transaction.
    var recordsAtOnce = 500
    /// Whether the lane lies on a disk that can't be written.
    let isReadOnly: Bool

    private let rows: LaneRows
    private let progress: ProgressTable
    /// The state before the open transaction; nil if none is open.
    private var before: LaneState?
    /// How many times pages had been spilled when the transaction was opened.
    private var spillsBefore = 0
    /// How many rows had been changed when the transaction was opened.
    private var changesBefore: Int64 = 0
    /// Whether nothing has been done in the open transaction yet.
    private var isFresh = false
    /// The reason why the open transaction can no longer be committed.
    private var failure: StoreFailure?

    init(_ tables: LaneTables, isReadOnly: Bool) {
        (rows, progress, self.isReadOnly) = (tables.rows, tables.progress, isReadOnly)
    }

    /// Opens a transaction if none is open; throws if the open one can no longer be committed.
    ///
    /// Each job of a group calls this first.
    func begin() throws(StoreFailure) {
        try demandSound()
        guard before == nil else {
            isFresh = false
            return
        }
        guard !isReadOnly else { throw StoreFailure(.readOnly, "\(rows.path) can't be written") }
        try rows.run("BEGIN IMMEDIATE")
        spillsBefore = rows.connection.spillCount
        changesBefore = rows.connection.changeCount
        (before, isFresh) = (state, true)
    }

    /// Throws if the open transaction can no longer be committed.
    func demandSound() throws(StoreFailure) {
        if let failure { throw failure }
    }

    /// Commits what was done since `begin()`, after a last step; returns false if no transaction is open.
    func finish(_ lastStep: () throws(StoreFailure) -> Void) throws(StoreFailure) -> Bool {
        try demandSound()
        guard let progressBefore = before?.progress else { return false }
        try lastStep()
        try progress.write(state.progress, insteadOf: progressBefore)
        try rows.run("COMMIT")
        before = nil
        return true
    }

    /// Undoes what was done since `begin()`; if this throws, it must be called again.
    func rollBack() throws(StoreFailure) {
        guard let before else { return }
        rows.lives.forget()
        if rows.connection.isInTransaction { try rows.run("ROLLBACK") }
        (state, words) = (before, SearchQueue())
        (self.before, failure) = (nil, nil)
    }

    /// Undoes what was done since `begin()`; if that fails, nothing else is committed before it succeeds.
    func abandon() {
        do { try rollBack() } catch { failure = error }
    }

    // MARK: Parts of a transaction

    /// Runs the closure; if the closure fails, everything that it did is undone.
    func atomically<Result>(_ body: () throws(StoreFailure) -> Result) throws(StoreFailure) -> Result {
        let isFirst = isFresh && before != nil && rows.connection.changeCount == changesBefore
        isFresh = false
        guard isFirst else { return try savepoint(body) }
        // A part that stands alone in its transaction needs no savepoint: it is undone with the transaction.
        do {
            return try body()
        } catch {
            abandon()
            throw error
        }
    }

    private func savepoint<Result>(
        _ body: () throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        let standing = state
        try rows.run("SAVEPOINT one")
        do {
            let result = try body()
            try rows.run("RELEASE one")
            return result
        } catch {
            undo(to: standing, because: error)
            throw error
        }
    }

    /// Goes back to the savepoint, or gives up the whole transaction.
    ///
    /// After some errors, such as a full disk, SQLite has already rolled back the whole transaction. Later writes would
    /// then be committed without the earlier ones, and could claim what was lost.
    ///
    /// The transaction is also given up once pages were spilled to the journal. If it went back to a savepoint then,
    /// SQLite (seen with 3.40) might go on with the checksum of a frame that no longer exists. After a crash,
    /// everything committed from there on would be as if it had never been written.
    private func undo(to standing: LaneState, because failure: StoreFailure) {
        rows.lives.forget()
        do {
            guard rows.connection.isInTransaction, rows.connection.spillCount == spillsBefore,
                words.goBack(from: state.searching, to: standing.searching)
            else { throw failure }
            try rows.run("ROLLBACK TO one")
            try rows.run("RELEASE one")
            state = standing
        } catch {
            self.failure = failure
        }
    }
}
