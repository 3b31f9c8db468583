import BatonCore

/// Batches that have not ended, piece by piece.
extension LaneDatabase {
    /// Puts drafts behind those of a batch, which begins with its first.
    func stage(_ drafts: [Journal.Draft], in batch: BatchIdentifier) throws(StoreFailure) {
        var open: OpenBatch
        if let known = progress.staging[batch] { open = known } else { open = try begin(batch) }
        for draft in drafts {
            let (identity, bytes) = (draft.key.identity, draft.encoded)
            try connection.run(
                "INSERT INTO staged (number, kind, hash, draft) VALUES (?, ?, ?, ?)",
                .integer(StagedNumber.all(of: open.number).lowerBound + Int64(open.count)),
                .integer(identity.kind.rawValue), .blob(identity.hash.bytes), .blob(bytes))
            open.count += 1
            if draft.isFullItem { open.written += AppUsage.Amount(items: 1, bytes: bytes.count) }
        }
        try connection.run(
            "UPDATE batches SET count = ?, items = ?, bytes = ? WHERE number = ?",
            .integer(Int64(open.count)),
            .integer(Int64(open.written.items)), .integer(Int64(open.written.bytes)), .integer(open.number))
        progress.staging[batch] = open
    }

    private func begin(_ batch: BatchIdentifier) throws(StoreFailure) -> OpenBatch {
        let last = try connection.statement("SELECT coalesce(max(number), 0) FROM batches").first([]) {
            (row) throws(StoreFailure) in row.integer(0)
        }
        let number = (last ?? 0) + 1
        try connection.run(
            "INSERT INTO batches (number, identifier, count, items, bytes) VALUES (?, ?, 0, 0, 0)",
            .integer(number), .integer(Int64(bitPattern: batch.value)))
        return OpenBatch(number: number)
    }

    /// Forgets a batch that will not end; what was staged of it goes in small steps.
    func discard(_ batch: BatchIdentifier) {
        guard let open = progress.staging.removeValue(forKey: batch) else { return }
        progress.discarded.append(open.number)
    }

    /// Reads which batches have ended and are not merged; those that have not ended are gone.
    func loadBatches() throws(StoreFailure) {
        let query = "SELECT \(Self.batchColumns) FROM batches ORDER BY time"
        try connection.statement(query).rows([]) { (row) throws(StoreFailure) in
            if row.isNull(4) {
                progress.discarded.append(row.integer(0))
            } else {
                progress.pending.append(try pendingBatch(row))
            }
            return true
        }
    }

    /// The columns that `pendingBatch(_:)` reads.
    static let batchColumns = "number, identifier, count, merged, life, sequence, time, items, bytes"

    /// The batch of a row, which has ended.
    func pendingBatch(_ row: borrowing Row) throws(StoreFailure) -> PendingBatch {
        let life = try life(row.integer(4))
        let batch = StagedBatch(
            BatchIdentifier(value: UInt64(bitPattern: row.integer(1))), count: Int(row.integer(2)),
            first: Dot(origin: Origin(life: life, lane: lane), sequence: row.unsigned(5)),
            stamp: Stamp(time: HybridTime(value: row.unsigned(6)), life: life))
        return PendingBatch(
            number: row.integer(0), batch: batch, merged: Int(row.integer(3)),
            written: AppUsage.Amount(items: Int(row.integer(7)), bytes: Int(row.integer(8))))
    }
}

/// A batch that has not ended.
struct OpenBatch: Equatable {
    /// Of its row.
    let number: Int64
    /// How many drafts are staged.
    var count = 0
    /// How many of them write an item in full, and the bytes of those.
    var written = AppUsage.Amount()
}

extension Journal.Draft {
    /// Whether it writes an item in full.
    fileprivate var isFullItem: Bool { key.kind == .item && isFull }
}
