package import BatonCore

/// Reads whole stores for tests.
///
/// A node never reads a whole store.
extension SQLiteStore {
    /// Returns the surviving writes of a lane, in the order of their arrival.
    package func survivingWrites(in lane: Lane) throws(StoreFailure) -> [Write] {
        try database(lane).changes.survivingWrites(database(lane).batches)
    }

    /// Counts what a rescue of a lane would find.
    ///
    /// These are the rows of writes, and the drafts that are not merged yet of batches that have ended.
    package func rescuableCount(in lane: Lane) throws(StoreFailure) -> (rows: Int, drafts: Int) {
        let drafts = database(lane).state.batches.pending.reduce(0) { $0 + $1.staged.count }
        return (try database(lane).tables.writes.count(), drafts)
    }

    /// Returns how much each app has in its indexes.
    ///
    /// The key of an app is the first part of its scopes.
    package func usages() throws(StoreFailure) -> [[UInt8]: AppUsage.Amount] {
        try lanes.index.database.usage.amounts()
    }

    /// Returns the number of items that a batch writes in full, and the bytes of their drafts.
    ///
    /// Returns nil if the batch is not open.
    package func staged(in batch: BatchIdentifier) -> AppUsage.Amount? {
        lanes.index.database.state.batches.open[batch]?.written
    }

    /// Whether a lane still has records to sweep or drafts to merge.
    package func isUnsettled(_ lane: Lane) -> Bool { database(lane).state.isUnsettled }

    /// Returns what a lane will claim once every snapshot and stream in progress is complete.
    package func expected(in lane: Lane) throws(StoreFailure) -> VersionVector {
        try database(lane).claims.expected()
    }

    /// Returns the clears that at least one client state does not cover yet.
    package func unseenClears() throws(StoreFailure) -> Set<RecordIdentity> {
        try lanes.index.database.states.unseenClears()
    }

    /// Returns the latest stamp of everything that was garbage-collected in a lane.
    package func horizon(of lane: Lane) -> HybridTime { database(lane).state.tombstones.horizon }

    /// The number of rows that were changed since the store was opened, including changes that were undone.
    ///
    /// If this number stays the same and no group is open, the content of the store is unchanged.
    package var changeCount: Int64 { databases.reduce(0) { $0 + $1.changeCount } }
}
