package import BatonCore

extension SQLiteStore {
    package func stage(_ drafts: [Journal.Draft], in batch: BatchIdentifier) throws(StoreFailure) {
        guard isGrouping else { return try group { () throws(StoreFailure) in try stage(drafts, in: batch) } }
        try index.begin()
        try index.atomically { () throws(StoreFailure) in try index.stage(drafts, in: batch) }
    }

    package func discard(_ batch: BatchIdentifier) { index.discard(batch) }

    package func settle(most: Int) throws(StoreFailure) -> (lane: Lane, commit: StoreCommit)? {
        guard isGrouping else {
            guard lanes.contains(where: \.hasPending) else { return nil }
            var step: (Lane, StoreCommit)?
            try group { () throws(StoreFailure) in step = try settle(most: most) }
            return step
        }
        guard let database = lanes.first(where: \.hasPending) else { return nil }
        try database.begin()
        var commit = try database.atomically { () throws(StoreFailure) in try database.settle(most: most) }
        commit.clock = clock
        commit.isUnsettled = lanes.contains(where: \.hasPending)
        return (database.lane, commit)
    }

    /// Does all that batches and clears have left to be done.
    func settleAll() throws(StoreFailure) {
        while try settle(most: 1000) != nil {}
    }
}
