import BatonCore

/// What batches and clears have left to be done, in small steps.
extension LaneDatabase {
    /// Whether anything is left.
    var hasPending: Bool {
        !progress.pending.isEmpty || !progress.sweeps.isEmpty || !progress.discarded.isEmpty
            || progress.counted != nil
    }

    /// Whether records are there of which only the staged draft stands here, so that others can't be told all.
    var isMerging: Bool { !progress.pending.isEmpty }

    /// How much is left.
    func unsettled() throws(StoreFailure) -> Unsettled {
        var left = Unsettled(toMerge: progress.pending.reduce(0) { $0 + $1.batch.count - $1.merged })
        for sweep in progress.sweeps {
            left.toClear += try count(to: sweep, most: Unsettled.countMost - left.toClear)
        }
        return left
    }

    /// Does the next part, of about so many records.
    func settle(most: Int) throws(StoreFailure) -> StoreCommit {
        var (changed, commit): ([RecordIdentity: Record], StoreCommit) = (
            [:], StoreCommit(head: .none, clock: .zero, changed: [])
        )
        let standing = progress
        if progress.counted != nil {
            try goOnCounting(most: most)
        } else if !progress.pending.isEmpty {
            commit.passedOver = try mergePending(most: most, changed: &changed)
        } else if !progress.sweeps.isEmpty {
            try goOnSweeping(most: most, changed: &changed)
        } else if let number = progress.discarded.first {
            try goOnDiscarding(number, most: most)
        }
        try resolveOverwritten(in: Array(changed.values), &commit)
        commit.shown = try judgeStates(
            after: StoreTransaction(lane: lane, writes: [], completing: VersionVector()), since: standing,
            changed)
        commit.changed = changed.values.sorted { $0.identity < $1.identity }
        commit.head = try head()
        return commit
    }

    private func goOnDiscarding(_ batch: Int64, most: Int) throws(StoreFailure) {
        let staged = StagedNumber.all(of: batch)
        try connection.run(
            """
            DELETE FROM staged WHERE number IN
                (SELECT number FROM staged WHERE number >= ? AND number < ? LIMIT ?)
            """, .integer(staged.lowerBound), .integer(staged.upperBound), .integer(Int64(most)))
        guard connection.lastChangeCount < most else { return }
        try connection.run("DELETE FROM batches WHERE number = ?", .integer(batch))
        progress.discarded.removeFirst()
    }
}
