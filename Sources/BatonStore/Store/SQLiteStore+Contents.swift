package import BatonCore

/// Reads everything in a store, for tests; a node reads only parts of it.
extension SQLiteStore {
    /// Returns the surviving writes of a lane, in the order of their arrival.
    package func survivingWrites(in lane: Lane) throws(StoreFailure) -> [Write] {
        try database(lane).changes.survivingWrites(database(lane).batches)
    }

    /// Counts what a rescue of a lane finds: its rows of writes, and the drafts of ended batches that are not merged.
    package func rescuableCount(in lane: Lane) throws(StoreFailure) -> (rows: Int, drafts: Int) {
        let drafts = database(lane).state.batches.pending.reduce(0) { $0 + $1.staged.count }
        return (try database(lane).tables.writes.count(), drafts)
    }

    /// Returns how much each app has in its indexes, by the first part of its scopes.
    package func usages() throws(StoreFailure) -> [[UInt8]: AppUsage.Amount] {
        try lanes.index.database.usage.amounts()
    }

    /// Returns how many items a batch that has not ended writes in full, and the bytes of their drafts.
    package func staged(in batch: BatchIdentifier) -> AppUsage.Amount? {
        lanes.index.database.state.batches.open[batch]?.written
    }

    /// Whether records of a lane are still to be swept or merged.
    package func isUnsettled(_ lane: Lane) -> Bool { database(lane).state.isUnsettled }

    /// Returns what a lane will claim once every snapshot in progress is complete.
    package func expected(in lane: Lane) throws(StoreFailure) -> VersionVector {
        try database(lane).claims.expected()
    }

    /// Returns the clears that some client state does not cover yet.
    package func unseenClears() throws(StoreFailure) -> Set<RecordIdentity> {
        try lanes.index.database.states.unseenClears()
    }

    /// Returns the latest stamp of everything that was garbage-collected in a lane.
    package func horizon(of lane: Lane) -> HybridTime { database(lane).state.tombstones.horizon }

    /// The number of rows that were changed, including changes that were undone.
    ///
    /// While it stays the same and no group is open, the content of the store is unchanged.
    package var changeCount: Int64 { databases.reduce(0) { $0 + $1.changeCount } }
}
