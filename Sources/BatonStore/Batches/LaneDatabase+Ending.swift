import BatonCore

/// The end of a batch, and what is left to be merged after it.
extension LaneDatabase {
    /// Ends a staged batch with the open transaction, which claims all of it.
    ///
    /// What it clears is cleared at once; a small batch is merged at once, too.
    func end(
        _ batch: StagedBatch, changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) -> Int {
        guard let open = progress.staging.removeValue(forKey: batch.identifier), open.count == batch.count
        else { throw StoreFailure(.failed, "a batch was to end of which something else was staged") }
        try connection.run(
            "UPDATE batches SET life = ?, sequence = ?, time = ? WHERE number = ?",
            .integer(try number(of: batch.stamp.life)), .integer(batch.first.sequence),
            .integer(batch.stamp.time.value), .integer(open.number))
        let pending = PendingBatch(number: open.number, batch: batch, merged: 0, written: open.written)
        try merge(clearsOf: pending, changed: &changed)
        progress.pending.append(pending)
        guard progress.pending.count == 1, batch.count <= recordsAtOnce else { return 0 }
        return try mergePending(most: batch.count, changed: &changed)
    }

    private func merge(
        clearsOf pending: PendingBatch, changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) {
        for (place, draft) in try stagedDrafts(pending.staged, onlyClears: true) {
            let (dot, stamp) = pending.batch.name(at: place)
            if let clear = draft.write(dot, at: stamp) { try merge(clear, changed: &changed) }
        }
    }

    /// Merges so many further drafts of the first batch that is pending; answers how many updates had nothing to change.
    func mergePending(
        most: Int, changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) -> Int {
        guard var pending = progress.pending.first else { return 0 }
        var passedOver = 0
        let end = min(pending.merged + most, pending.batch.count)
        let staged = StagedNumber.range(pending.number, pending.merged..<end)
        let drafts = try stagedDrafts(staged)
        guard drafts.count == staged.count else { throw damaged(.outOfRange) }
        for (place, draft) in drafts {
            let (dot, stamp) = pending.batch.name(at: place)
            if !(try merge(draft, dot, at: stamp, changed: &changed)) { passedOver += 1 }
        }
        try connection.run(
            "DELETE FROM staged WHERE number >= ? AND number < ?", .integer(staged.lowerBound),
            .integer(staged.upperBound))
        pending.merged = end
        if end == pending.batch.count {
            try connection.run("DELETE FROM batches WHERE number = ?", .integer(pending.number))
            progress.pending.removeFirst()
        } else {
            try connection.run(
                "UPDATE batches SET merged = ? WHERE number = ?", .integer(Int64(end)),
                .integer(pending.number))
            progress.pending[0] = pending
        }
        return passedOver
    }

    /// Merges what is pending of one record, before something else changes it.
    ///
    /// What an update in a batch becomes depends on what it finds. That it is merged once more with its batch changes
    /// nothing.
    func mergePending(
        of identity: RecordIdentity, changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) {
        for pending in progress.pending {
            for (number, draft) in try drafts(of: identity, in: pending) {
                let (dot, stamp) = pending.batch.name(at: StagedNumber.place(number))
                _ = try merge(draft, dot, at: stamp, changed: &changed)
            }
        }
    }

    /// Merges one draft of that name; false if it had nothing to change.
    private func merge(
        _ draft: Journal.Draft, _ dot: Dot, at stamp: Stamp, changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) -> Bool {
        let write = try draft.write(dot, at: stamp) { (identity) throws(StoreFailure) in
            try storedRecord(identity)?.record
        }
        if let write { try merge(write, changed: &changed) }
        return write != nil
    }

    /// A record as it is once all batches that have ended are merged.
    func recordWithPending(_ identity: RecordIdentity) throws(StoreFailure) -> Record? {
        try record(identity, before: (progress.pending.count, 0))
    }

    /// A record as it is once what comes before that draft of that batch is merged.
    private func record(
        _ identity: RecordIdentity, before end: (batch: Int, number: Int64)
    ) throws(StoreFailure) -> Record? {
        var record = try storedRecord(identity)?.record
        for (place, pending) in progress.pending.enumerated().prefix(end.batch + 1) {
            for (number, draft) in try drafts(of: identity, in: pending)
            where place < end.batch || number < end.number {
                let (dot, stamp) = pending.batch.name(at: StagedNumber.place(number))
                let write = try draft.write(dot, at: stamp) { (other) throws(StoreFailure) in
                    other == identity ? record : try self.record(other, before: (place, number))
                }
                guard let write = write.flatMap(progress.clears.remains) else { continue }
                var merged = record ?? Record(identity)
                _ = merged.merge(write)
                record = merged
            }
        }
        return record
    }

    private func drafts(
        of identity: RecordIdentity, in pending: PendingBatch
    ) throws(StoreFailure) -> [(number: Int64, draft: Journal.Draft)] {
        var drafts: [(Int64, Journal.Draft)] = []
        let query = """
            SELECT number, draft FROM staged WHERE hash = ? AND kind = ? AND number >= ? AND number < ?
            ORDER BY number
            """
        try connection.statement(query).rows(
            [
                .blob(identity.hash.bytes), .integer(identity.kind.rawValue),
                .integer(pending.staged.lowerBound), .integer(pending.staged.upperBound),
            ]
        ) { (row) throws(StoreFailure) in
            drafts.append((row.integer(0), try draft(row.blob(1))))
            return true
        }
        return drafts
    }

    // MARK: Rows

    /// The staged drafts of those numbers, or the clears among them, each with its place in the batch.
    func stagedDrafts(
        _ numbers: Range<Int64>, onlyClears: Bool = false
    ) throws(StoreFailure) -> [(place: Int, draft: Journal.Draft)] {
        var drafts: [(Int, Journal.Draft)] = []
        try visitStaged(numbers, onlyClears: onlyClears) { drafts.append(($0, $1)) }
        return drafts
    }

    /// Shows the closure the same, one after the other.
    func visitStaged(
        _ numbers: Range<Int64>, onlyClears: Bool = false,
        _ body: (_ place: Int, Journal.Draft) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        let query = """
            SELECT number, draft FROM staged WHERE number >= ? AND number < ?
            \(onlyClears ? "AND kind <= 1" : "") ORDER BY number
            """
        try connection.statement(query).rows(
            [.integer(numbers.lowerBound), .integer(numbers.upperBound)]
        ) { (row) throws(StoreFailure) in
            try body(StagedNumber.place(row.integer(0)), try draft(row.blob(1)))
            return true
        }
    }

    /// A draft, as it is staged.
    func draft(_ bytes: [UInt8]) throws(StoreFailure) -> Journal.Draft {
        do {
            return try Journal.Draft(encoded: bytes)
        } catch {
            throw damaged(error)
        }
    }
}
