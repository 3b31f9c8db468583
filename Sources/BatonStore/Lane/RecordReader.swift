import BatonCore

/// A record as it is stored in the database.
struct StoredRecord {
    let number: Int64
    /// The record as clears leave it, including clears whose sweep has not finished.
    let record: Record
    /// The record that its rows make, without unfinished clears.
    let raw: Record
    /// The writes that the record is made of.
    let writes: [PlacedWrite]
    /// The digest of `raw`, if it is known.
    var rawDigest: StateDigest?
}

/// Reads records as clears leave them, including clears whose sweep has not finished.
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

    /// Returns the record as it was written last; nil if it has no writes, not even a tombstone.
    ///
    /// Its rows are read only if it is not among the recent records. So damage of these rows on the disk shows only
    /// when another call reads them.
    func written(_ identity: RecordIdentity) throws(StoreFailure) -> StoredRecord? {
        guard let recent = transaction.state.recent[identity] else { return try stored(identity) }
        let record = cleared(recent.record, recent.writes.map(\.write))
        return StoredRecord(
            number: recent.number, record: record, raw: recent.record, writes: recent.writes,
            rawDigest: recent.digest)
    }

    /// Returns the record of this number; nil if it has no writes.
    func stored(number: Int64) throws(StoreFailure) -> StoredRecord? {
        try tables.records.writes(of: number).map { stored(number, $0) }
    }

    /// Returns the item of this number; nil if the record is not an item, or does not exist.
    func item(number: Int64) throws(StoreFailure) -> StoredItem? {
        // Only the writes of an item tell what a clear leaves of it.
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

    /// Returns the records of a kind that exist, in the order of their identities, without the records whose hash is
    /// the name of a note in `space`.
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

    /// Returns the records that expire after the first time, and not after the last.
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

    /// Returns a record as the clears with unfinished sweeps leave it.
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
