import BatonCore

/// Merges writes into the records of a lane, and sweeps the records that clears end.
///
/// If a clear covers few records, it ends them immediately. If it covers many, it ends them in small steps, so that no
/// transaction takes long. Until such a sweep has finished, `RecordReader` applies the clear to each record that it
/// reads.
final class RecordMerger {
    private let tables: LaneTables
    private let transaction: LaneTransaction
    private let records: RecordReader
    private let clears: ClearFinder
    private let search: SearchIndex
    private let usage: UsageCounter

    init(
        _ tables: LaneTables, _ transaction: LaneTransaction, _ records: RecordReader,
        clears: ClearFinder, search: SearchIndex, usage: UsageCounter
    ) {
        (self.tables, self.transaction, self.records) = (tables, transaction, records)
        (self.clears, self.search, self.usage) = (clears, search, usage)
    }

    // MARK: Merging

    /// Merges one write; a clear takes effect immediately.
    func merge(_ arriving: Write, changed: inout [RecordIdentity: Record]) throws(StoreFailure) {
        guard let write = try clears.remains(of: arriving) else { return }
        var record = Record(write.identity)
        // If a write does not change an empty record, it does not change any other record, either.
        guard record.merge(write) else { return }
        if let stored = try records.written(write.identity) {
            record = stored.record
            guard record.merge(write) else { return }
            try save(record, over: stored, after: write, changed: &changed)
        } else {
            let writes = record.survivingWrites.map(place)
            let number = try tables.records.insert(record, writes)
            keep(number, record, writes)
            try recordChange(number, from: nil, to: record)
        }
        changed[record.identity] = record
        guard let clear = record.clear, !clear.scope.isEmpty else { return }
        transaction.state.clears.scopes.recordScope(clear.scope)
        try sweep(clear, changed: &changed)
    }

    /// Stores the new state of a record.
    ///
    /// The writes that survive keep their places in the order of arrival, and the new write gets the next place.
    ///
    /// If only a part of a write was stored before, the write moves to a new place, because a peer may have read past
    /// the old place.
    ///
    /// If the record is a clear that is removed, its sweep is finished first. This may change other records.
    func save(
        _ record: Record, over stored: StoredRecord, after write: Write?,
        changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) {
        var (writes, arriving): ([PlacedWrite], [Write]) = ([], record.survivingWrites)
        for standing in stored.writes {
            guard write?.isSame(as: standing.write) != true,
                let number = arriving.firstIndex(where: { $0.isSame(as: standing.write) }),
                // A write that ended an earlier write needs a new place. Otherwise, peers that have read the earlier
                // write would not be sent the one that ended it.
                write == nil || arriving[number].isFull || !standing.write.isFull
            else { continue }
            writes.append(PlacedWrite(place: standing.place, write: arriving.remove(at: number)))
        }
        writes += arriving.map(place)
        transaction.state.digest -= counted(stored.rawDigest ?? stored.raw.digest, of: stored.raw)
        guard record.isTraced else {
            transaction.state.recent.forget(record.identity)
            transaction.state.digest += record.digest(at: transaction.state.digestTime)
            if let clear = stored.record.clear { try finishSweep(of: clear, changed: &changed) }
            try recordChange(stored.number, from: stored.raw, to: nil)
            return try tables.records.remove(stored.number)
        }
        try tables.records.update(
            stored.number, from: (stored.raw, stored.writes), to: (record, writes))
        keep(stored.number, record, writes)
        try recordChange(stored.number, from: stored.raw, to: record)
    }

    /// Adds a written record to the digest of the lane and to `RecentRecords`.
    private func keep(_ number: Int64, _ record: Record, _ writes: [PlacedWrite]) {
        let digest = record.digest
        transaction.state.digest += counted(digest, of: record)
        transaction.state.recent.keep(
            RecentRecords.Recent(number: number, record: record, writes: writes, digest: digest))
    }

    /// Returns the number that a record adds to the digest of the lane.
    ///
    /// An expired record adds nothing.
    private func counted(_ digest: StateDigest, of record: Record) -> StateDigest {
        record.isExpired(at: transaction.state.digestTime) ? StateDigest() : digest
    }

    /// Gives a write the next place in the order of arrival.
    private func place(_ write: Write) -> PlacedWrite {
        let place = Arrival(value: transaction.state.head.value + 1)
        transaction.state.head = place
        if write.identity.kind.isClear { transaction.state.lastClear = place }
        if !write.isOpening { transaction.state.lastFurther = place }
        return PlacedWrite(place: place, write: write)
    }

    /// Updates everything that is derived from a record after the record has changed.
    private func recordChange(_ number: Int64, from old: Record?, to new: Record?) throws(StoreFailure) {
        if (new ?? old)?.identity.kind.isClear == true { transaction.state.clears.scopes.forgetFound() }
        try search.recordChange(number, from: old, to: new)
        usage.recordChange(number, from: old, to: new)
        try tables.activities.recordChange(number, from: old, to: new)
    }

    // MARK: Sweeping

    /// Ends the records that a clear covers, or begins a sweep if there are many of them.
    private func sweep(_ clear: Clear, changed: inout [RecordIdentity: Record]) throws(StoreFailure) {
        // The new clear ends everything that an earlier clear of the same scope ends, so the earlier sweep is not
        // needed.
        try endSweep(of: clear.scope)
        let sweep = Sweep(clear: clear, after: (clear.scope.encoded, 0))
        let (numbers, last) = try tables.writes.records(
            in: clear.scope, after: sweep.after, most: transaction.recordsAtOnce + 1)
        if last == nil {
            try self.sweep(numbers, by: [clear], changed: &changed)
        } else {
            try keep(sweep)
        }
    }

    /// Continues the first unfinished sweep, and reads at most `most` writes.
    func goOnSweeping(most: Int, changed: inout [RecordIdentity: Record]) throws(StoreFailure) {
        guard var sweep = transaction.state.clears.sweeps.first else { return }
        let (numbers, last) = try tables.writes.records(
            in: sweep.clear.scope, after: sweep.after, most: most)
        try self.sweep(numbers, by: transaction.state.clears.sweeps.map(\.clear), changed: &changed)
        if let last {
            sweep.after = last
            try keep(sweep)
        } else {
            try endSweep(of: sweep.clear.scope)
        }
    }

    /// Finishes the sweep of a clear, because the clear itself is removed.
    private func finishSweep(
        of clear: Clear, changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) {
        while transaction.state.clears.bringForward(clear) {
            try goOnSweeping(most: transaction.recordsAtOnce + 1, changed: &changed)
        }
    }

    private func sweep(
        _ numbers: [Int64], by clears: [Clear], changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) {
        for number in numbers {
            guard let stored = try records.stored(number: number) else { continue }
            var record = stored.record
            var isChanged = record != stored.raw
            for clear in clears where record.clear(clear) { isChanged = true }
            guard isChanged else { continue }
            try save(record, over: stored, after: nil, changed: &changed)
            changed[record.identity] = record
        }
    }

    private func keep(_ sweep: Sweep) throws(StoreFailure) {
        try tables.clears.keep(sweep)
        transaction.state.clears.keep(sweep)
    }

    private func endSweep(of scope: Scope) throws(StoreFailure) {
        guard transaction.state.clears.remove(scope) else { return }
        try tables.clears.remove(scope)
    }
}
