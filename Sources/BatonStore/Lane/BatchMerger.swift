import BatonCore

/// Stages the batches of apps piece by piece, and merges the batches that have ended.
///
/// A large batch is merged in small steps.
final class BatchMerger {
    private let tables: LaneTables
    private let transaction: LaneTransaction
    private let records: RecordReader
    private let clears: ClearFinder
    private let merger: RecordMerger

    /// The approximate largest number of bytes of drafts that are in memory at once.
    private static let bytesAtOnce = 2 << 20

    init(
        _ tables: LaneTables, _ transaction: LaneTransaction, _ records: RecordReader,
        clears: ClearFinder, merger: RecordMerger
    ) {
        (self.tables, self.transaction) = (tables, transaction)
        (self.records, self.clears, self.merger) = (records, clears, merger)
    }

    /// Reads the staged batches from the tables.
    ///
    /// Batches that were still open when the store was closed are discarded.
    func load() throws(StoreFailure) {
        let found = try tables.batches.load()
        (transaction.state.batches.pending, transaction.state.batches.discarded) = found
    }

    // MARK: Staging

    /// Adds drafts to a batch.
    ///
    /// The first call for a batch begins the batch.
    func stage(_ drafts: [Journal.Draft], in batch: BatchIdentifier) throws(StoreFailure) {
        var open: OpenBatch
        if let known = transaction.state.batches.open[batch] {
            open = known
        } else {
            open = try tables.batches.insert(batch)
        }
        for draft in drafts {
            let bytes = draft.encoded
            try tables.batches.stage(bytes, of: draft.key.identity, number: open.nextDraft)
            if let scope = draft.movesTo {
                open.moves.append(BatchMove(place: open.count, item: draft.key.identity, scope: scope))
            }
            open.count += 1
            if draft.isFullItem { open.written += AppUsage.Amount(items: 1, bytes: bytes.count) }
        }
        try tables.batches.update(open)
        transaction.state.batches.open[batch] = open
    }

    /// Forgets a batch that will never end.
    ///
    /// The drafts of the batch are removed later, in small steps.
    func discard(_ batch: BatchIdentifier) {
        guard let open = transaction.state.batches.open.removeValue(forKey: batch) else { return }
        transaction.state.batches.discarded.append(open.number)
    }

    /// Removes at most `most` drafts of a discarded batch.
    func removeDiscarded(most: Int) throws(StoreFailure) {
        guard let batch = transaction.state.batches.discarded.first,
            try tables.batches.remove(StagedNumber.all(of: batch), most: most)
        else { return }
        try tables.batches.remove(batch)
        transaction.state.batches.discarded.removeFirst()
    }

    // MARK: Ending

    /// Ends a staged batch in the open transaction, which claims the whole batch.
    ///
    /// Returns the number of updates in the batch that changed nothing.
    ///
    /// The batch's clears take effect immediately. A small batch is merged immediately, too.
    func end(
        _ batch: StagedBatch, changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) -> Int {
        guard let open = transaction.state.batches.open.removeValue(forKey: batch.identifier),
            open.count == batch.count
        else { throw StoreFailure(.failed, "a batch does not have the staged changes that were expected") }
        try tables.batches.end(open, as: batch)
        let pending = PendingBatch(
            number: open.number, batch: batch, merged: 0, written: open.written, moves: open.moves)
        transaction.state.batches.pending.append(pending)
        for (place, draft) in try tables.batches.drafts(pending.staged, onlyClears: true) {
            let (dot, stamp) = batch.name(at: place)
            guard let clear = draft.write(dot, at: stamp) else { continue }
            try mergeMoves(before: clear, changed: &changed)
            try merger.merge(clear, changed: &changed)
        }
        guard transaction.state.batches.pending.count == 1, batch.count <= transaction.recordsAtOnce else {
            return 0
        }
        return try mergePending(most: batch.count, changed: &changed)
    }

    /// Merges at most `most` further drafts of the oldest pending batch.
    ///
    /// If the drafts are large, fewer are merged. Returns the number of updates that changed nothing.
    func mergePending(
        most: Int, changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) -> Int {
        guard var pending = transaction.state.batches.pending.first else { return 0 }
        var passedOver = 0
        let end = min(pending.merged + most, pending.batch.count)
        let staged = StagedNumber.range(pending.number, pending.merged..<end)
        let (drafts, isCut) = try tables.batches.drafts(staged, bytes: Self.bytesAtOnce)
        let merged = pending.merged + drafts.count
        guard isCut || merged == end, drafts.last.map({ $0.place == merged - 1 }) ?? true else {
            throw tables.rows.damaged(.outOfRange)
        }
        for (place, draft) in drafts {
            let (dot, stamp) = pending.batch.name(at: place)
            if !(try merge(draft, dot, at: stamp, changed: &changed)) { passedOver += 1 }
        }
        try tables.batches.remove(StagedNumber.range(pending.number, pending.merged..<merged))
        pending.merged = merged
        if merged == pending.batch.count {
            try tables.batches.remove(pending.number)
            transaction.state.batches.pending.removeFirst()
        } else {
            try tables.batches.update(pending)
            transaction.state.batches.pending[0] = pending
        }
        return passedOver
    }

    /// Merges the pending drafts of one record before another write changes the record.
    ///
    /// If `end` is given, only the drafts with a smaller stamp are merged.
    ///
    /// This is necessary because the result of an update depends on the record that the update finds. When the batch
    /// itself is merged later, these drafts change nothing.
    func mergePending(
        of identity: RecordIdentity, before end: Stamp? = nil, changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) {
        for pending in transaction.state.batches.pending {
            for (number, draft) in try tables.batches.drafts(of: identity, in: pending) {
                let (dot, stamp) = pending.batch.name(at: StagedNumber.place(number))
                if let end, stamp >= end { continue }
                _ = try merge(draft, dot, at: stamp, changed: &changed)
            }
        }
    }

    /// Merges the drafts of pending batches that move items out of the scope of a clear, before the clear is merged.
    ///
    /// A clear takes effect immediately, ahead of drafts that were staged before it. If these drafts were not merged
    /// first, the clear would end the items in their old scope, and nothing would be left to move.
    func mergeMoves(before write: Write, changed: inout [RecordIdentity: Record]) throws(StoreFailure) {
        guard !transaction.state.batches.pending.isEmpty, let clear = write.clear, !clear.scope.isEmpty
        else { return }
        for place in transaction.state.batches.pending.indices {
            let (pending, moves) = try moves(ofPending: place)
            for move in moves
            where move.place >= pending.merged && pending.batch.name(at: move.place).stamp < clear.stamp
                && !move.scope.isWithin(clear.scope)
            {
                let item = try records.stored(move.item)?.record.content
                guard item?.scope.isWithin(clear.scope) ?? true else { continue }
                try mergePending(of: move.item, before: clear.stamp, changed: &changed)
            }
        }
    }

    /// Returns a pending batch and its moves.
    ///
    /// If the batch ended in an earlier process, the moves are read from its drafts, once.
    private func moves(
        ofPending place: Int
    ) throws(StoreFailure) -> (batch: PendingBatch, moves: [BatchMove]) {
        let pending = transaction.state.batches.pending[place]
        if let moves = pending.moves { return (pending, moves) }
        var moves: [BatchMove] = []
        try tables.batches.visit(pending.staged) { (place, draft) in
            guard let scope = draft.movesTo else { return }
            moves.append(BatchMove(place: place, item: draft.key.identity, scope: scope))
        }
        transaction.state.batches.pending[place].moves = moves
        return (pending, moves)
    }

    /// Merges one draft as a write with this dot; returns false if the draft changes nothing.
    private func merge(
        _ draft: Journal.Draft, _ dot: Dot, at stamp: Stamp, changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) -> Bool {
        let write = try draft.write(dot, at: stamp) { (identity) throws(StoreFailure) in
            try records.stored(identity)?.record
        }
        guard let write else {
            // The draft may have been merged ahead of its batch.
            return try records.stored(draft.key.identity)?.writes.contains { $0.write.dot == dot } ?? false
        }
        try merger.merge(write, changed: &changed)
        return true
    }

    // MARK: Queries

    /// Returns a record as it will be once all pending batches are merged.
    func record(_ identity: RecordIdentity) throws(StoreFailure) -> Record? {
        try record(identity, before: (transaction.state.batches.pending.count, 0))
    }

    /// Returns a record as it will be once all drafts before this place are merged.
    private func record(
        _ identity: RecordIdentity, before end: (batch: Int, number: Int64)
    ) throws(StoreFailure) -> Record? {
        var record = try records.stored(identity)?.record
        for (place, pending) in transaction.state.batches.pending.enumerated().prefix(end.batch + 1) {
            for (number, draft) in try tables.batches.drafts(of: identity, in: pending)
            where place < end.batch || number < end.number {
                let (dot, stamp) = pending.batch.name(at: StagedNumber.place(number))
                let write = try draft.write(dot, at: stamp) { (other) throws(StoreFailure) in
                    other == identity ? record : try self.record(other, before: (place, number))
                }
                guard let arriving = write, let write = try clears.remains(of: arriving) else { continue }
                var merged = record ?? Record(identity)
                _ = merged.merge(write)
                record = merged
            }
        }
        return record
    }

    /// Returns the identities of all records that pending batches write.
    func pendingRecords() throws(StoreFailure) -> Set<RecordIdentity> {
        var identities: Set<RecordIdentity> = []
        for batch in transaction.state.batches.pending {
            identities.formUnion(try tables.batches.identities(batch.staged))
        }
        return identities
    }
}

extension Journal.Draft {
    /// Whether the draft writes an item in full.
    fileprivate var isFullItem: Bool { key.kind == .item && isFull }
}
