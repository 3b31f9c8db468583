import BatonCore

/// A record as it is stored in the database.
struct StoredRecord {
    let number: Int64
    /// The record after all clears were applied, including the clears whose sweeps have not finished.
    let record: Record
    /// The record as its rows say, without the effect of clears whose sweeps have not finished.
    let raw: Record
    /// The writes in the record's rows.
    let writes: [PlacedWrite]
    /// The digest of `raw`, if it is known.
    var rawDigest: StateDigest?
}

/// Reads records from the database, and applies the clears whose sweeps have not finished.
final class RecordReader {
    private let tables: LaneTables
    private let transaction: LaneTransaction

    init(_ tables: LaneTables, _ transaction: LaneTransaction) {
        (self.tables, self.transaction) = (tables, transaction)
    }

    /// Returns a record; nil if it has no writes, not even a tombstone.
    func stored(_ identity: RecordIdentity) throws(StoreFailure) -> StoredRecord? {
        guard let (number, writes) = try tables.records.writes(of: identity) else {
            return nil
        }
        return stored(number, writes)
    }

    /// Returns a record, from memory if it was written recently; nil if it has no writes, not even a tombstone.
    ///
    /// The rows of the record are read only if the record is not among `RecentRecords`. So if the disk has damaged
    /// these rows, the damage is found only when another call reads them.
    func written(_ identity: RecordIdentity) throws(StoreFailure) -> StoredRecord? {
        guard let recent = transaction.state.recent[identity] else { return try stored(identity) }
        let record = cleared(recent.record, recent.writes.map(\.write))
        return StoredRecord(
            number: recent.number, record: record, raw: recent.record, writes: recent.writes,
            rawDigest: recent.digest)
    }

    /// Returns the record with this number; nil if it has no writes.
    func stored(number: Int64) throws(StoreFailure) -> StoredRecord? {
        try tables.records.writes(of: number).map { stored(number, $0) }
    }

    /// Returns the item with this number; nil if the record is not an item, or does not exist.
    func item(number: Int64) throws(StoreFailure) -> StoredItem? {
        // If a sweep has not finished, the item's writes are needed to apply the clear.
        if transaction.state.clears.unswept.isEmpty,
            let item = try tables.records.item(number)
        {
            return item
        }
        return try stored(number: number).flatMap { StoredItem($0) }
    }

    private func stored(_ number: Int64, _ writes: [PlacedWrite]) -> StoredRecord {
        let raw = Record(merging: writes.map(\.write))
        return StoredRecord(
            number: number, record: cleared(raw, writes.map(\.write)), raw: raw, writes: writes)
    }

    /// Returns the existing records of a kind, in the order of their identities.
    ///
    /// A record is left out if its hash is the name of a note in `space`.
    func records(
        of kind: RecordKind, besides space: NoteSpace? = nil, where isWanted: (Record) -> Bool = { _ in true }
    ) throws(StoreFailure) -> [Record] {
        var records: [Record] = []
        try tables.records.visit(of: kind, besides: space) { (writes) in
            let record = cleared(Record(merging: writes), writes)
            if record.isThere, isWanted(record) { records.append(record) }
        }
        return records
    }

    /// Returns the existing records that expire after `first` and not after `last`.
    func records(
        expiringAfter first: WallTime, upTo last: WallTime
    ) throws(StoreFailure) -> [Record] {
        var records: [Record] = []
        try tables.records.visit(expiringAfter: first, upTo: last) { (writes) in
            let record = cleared(Record(merging: writes), writes)
            if record.isThere { records.append(record) }
        }
        return records
    }

    /// Applies the clears whose sweeps have not finished to a record.
    private func cleared(_ raw: Record, _ writes: [Write]) -> Record {
        let unswept = transaction.state.clears.unswept
        guard !unswept.isEmpty else { return raw }
        var record = Record(raw.identity)
        for write in writes.compactMap(unswept.remains) { _ = record.merge(write) }
        return record
    }
}

extension StoredItem {
    /// Reads the item of a record; nil if the record is not an item, or does not exist.
    fileprivate init?(_ stored: StoredRecord) {
        let record = stored.record
        guard record.identity.kind == .item, let content = record.content, let name = ItemName(record) else {
            return nil
        }
        self.init(name, content, by: record.incarnation.life, until: record.expiration)
    }
}
