import BatonCore

/// The open transaction of a lane, and the state of the lane.
///
/// If the transaction fails, the state is restored.
///
/// A transaction opens with the first commit of a group and ends with `finish(_:)`.
final class LaneTransaction {
    /// The state of the lane as a whole.
    var state = LaneState()
    /// The changes of items in this transaction that are not in the full-text table yet.
    var words = SearchQueue()
    /// Whether a step of a batch is being merged.
    ///
    /// The words of such a step may be counted later.
    var isMergingStep = false
    /// The largest number of records that one clear or batch changes in its own transaction.
    var recordsAtOnce = 500
    /// Whether the lane is on a read-only disk.
    let isReadOnly: Bool

    private let rows: LaneRows
    private let progress: ProgressTable
    /// The state before the open transaction; nil if none is open.
    private var before: LaneState?
    /// The value of SQLite's counter of spilled pages when the transaction was opened.
    private var spillsBefore = 0
    /// The value of the counter of changed rows when the transaction was opened.
    private var changesBefore: Int64 = 0
    /// Whether nothing has been done in the open transaction yet.
    private var isFresh = false
    /// The reason why the open transaction can no longer be committed.
    private var failure: StoreFailure?

    init(_ tables: LaneTables, isReadOnly: Bool) {
        (rows, progress, self.isReadOnly) = (tables.rows, tables.progress, isReadOnly)
    }

    /// Opens a transaction if none is open.
    ///
    /// Throws if the open transaction can no longer be committed.
    ///
    /// Each change in a group calls this first.
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

    /// Runs a last step, and commits what was done since `begin()`.
    ///
    /// Returns false, without running the step, if no transaction is open.
    func finish(_ lastStep: () throws(StoreFailure) -> Void) throws(StoreFailure) -> Bool {
        try demandSound()
        guard let progressBefore = before?.progress else { return false }
        try lastStep()
        try progress.write(state.progress, insteadOf: progressBefore)
        try rows.run("COMMIT")
        before = nil
        return true
    }

    /// Undoes what was done since `begin()`.
    ///
    /// If this throws, the caller must call it again.
    func rollBack() throws(StoreFailure) {
        guard let before else { return }
        rows.lives.forget()
        if rows.connection.isInTransaction { try rows.run("ROLLBACK") }
        (state, words) = (before, SearchQueue())
        (self.before, failure) = (nil, nil)
    }

    /// Undoes what was done since `begin()`.
    ///
    /// If undoing fails, nothing else can be committed until `rollBack()` succeeds.
    func abandon() {
        do { try rollBack() } catch { failure = error }
    }

    // MARK: Parts of a transaction

    /// Runs the closure, and undoes everything that the closure did if it throws.
    func atomically<Result>(_ body: () throws(StoreFailure) -> Result) throws(StoreFailure) -> Result {
        let isFirst = isFresh && before != nil && rows.connection.changeCount == changesBefore
        isFresh = false
        guard isFirst else { return try savepoint(body) }
        // The first change of a transaction needs no savepoint: the whole transaction is rolled back instead.
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

    /// Rolls back to the savepoint, or gives up the whole transaction if that is not possible.
    ///
    /// After some errors, such as a full disk, SQLite has already rolled back the whole transaction. Later writes would
    /// then be committed without the earlier ones, and could claim what was lost.
    ///
    /// The transaction is also given up once pages were spilled to the journal. After a rollback to a savepoint, SQLite
    /// (seen with 3.40) might then continue with the checksum of a frame that no longer exists. After a crash,
    /// everything that was committed from there on would be lost.
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
