package import BatonCore

/// All that stands in a store, for who looks at it from outside, as tests do; a node never asks for so much at once.
extension SQLiteStore {
    /// What stands in a lane, in the order in which it arrived.
    package func survivingWrites(in lane: Lane) throws(StoreFailure) -> [Write] {
        try database(lane).survivingWrites()
    }

    /// Counts what a rescue of a lane finds: its rows of writes, and the drafts of ended batches that are not merged.
    package func rescuableCount(in lane: Lane) throws(StoreFailure) -> (rows: Int, drafts: Int) {
        let rows = try database(lane).connection.statement("SELECT count(*) FROM writes").first([]) { (row) in
            Int(row.integer(0))
        }
        return (rows ?? 0, database(lane).progress.pending.reduce(0) { $0 + $1.staged.count })
    }

    /// How much each app has in its indexes, by the first part of its scopes.
    package func usages() throws(StoreFailure) -> [[UInt8]: AppUsage.Amount] { try index.database.usages() }

    /// How many items a batch that has not ended writes in full, and the bytes of their drafts; nil if there is none.
    package func staged(in batch: BatchIdentifier) -> AppUsage.Amount? {
        index.database.progress.staging[batch]?.written
    }

    /// Whether something of a lane is yet to be swept or merged.
    package func isUnsettled(_ lane: Lane) -> Bool { database(lane).hasPending }

    /// The claims that a lane will have once every snapshot under way has come to its end.
    package func expected(in lane: Lane) throws(StoreFailure) -> VersionVector { try database(lane).expected }

    /// Clears that a client state which stands here does not contain.
    package func unseenClears() throws(StoreFailure) -> Set<RecordIdentity> {
        try index.database.unseenClears(among: try index.records(of: .indexClear))
    }

    /// The latest stamp of all that was let go of a lane.
    package func horizon(of lane: Lane) -> HybridTime { database(lane).progress.horizon }

    /// Grows whenever a row changes, also if that is undone later: as long as it is the same and no group is open,
    /// what was seen is what stands there.
    package var changeCount: Int64 { databases.reduce(0) { $0 + $1.connection.changeCount } }
}

extension LaneDatabase {
    /// What stands here, in the order in which it arrived.
    fileprivate func survivingWrites() throws(StoreFailure) -> [Write] {
        var writes: [Write] = []
        let query = """
            SELECT \(Self.columns), kind, hash, name FROM writes JOIN records ON records.number = record
            ORDER BY arrival
            """
        try connection.statement(query).rows([]) { (row) throws(StoreFailure) in
            let name = row.isNull(12) ? nil : row.blob(12)
            let write = try write(row, from: 0, identity: try identity(row, from: 10), name: name)
            // What a clear has left to be swept is as if it was.
            if let left = progress.unswept.remains(of: write) { writes.append(left) }
            return true
        }
        let pending = try pendingRecords()
        writes.removeAll { pending.contains($0.identity) }
        for identity in pending.sorted() {
            writes += try recordWithPending(identity)?.survivingWrites ?? []
        }
        return writes
    }

    /// The records into which batches that have ended are yet to be merged.
    private func pendingRecords() throws(StoreFailure) -> Set<RecordIdentity> {
        var identities: Set<RecordIdentity> = []
        for batch in progress.pending {
            try connection.statement(
                "SELECT DISTINCT kind, hash FROM staged WHERE number >= ? AND number < ?"
            )
            .rows([.integer(batch.staged.lowerBound), .integer(batch.staged.upperBound)]) {
                (row) throws(StoreFailure) in
                identities.insert(try identity(row, from: 0))
                return true
            }
        }
        return identities
    }
}
