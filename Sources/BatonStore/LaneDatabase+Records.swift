import BatonCore

/// A record as it stands in the database.
struct StoredRecord {
    let number: Int64
    /// What it is, whatever clears have left to be swept.
    let record: Record
    /// What it is made of as it stands.
    let raw: Record
    /// The writes that it is made of, with their places.
    let writes: [(arrival: Arrival, write: Write)]
}

extension LaneDatabase {
    /// The columns that `write(_:from:identity:name:)` reads.
    static let columns =
        "writes.life, sequence, place, time, time_life, action, base, base_life, scope, fields"

    /// The write of a row whose columns begin at that place.
    func write(
        _ row: borrowing Row, from first: Int32, identity: RecordIdentity, name: [UInt8]?
    ) throws(StoreFailure) -> Write {
        let origin = Origin(life: try life(row.integer(first)), lane: lane)
        let dot = Dot(
            origin: origin, sequence: row.unsigned(first + 1),
            place: UInt32(truncatingIfNeeded: row.integer(first + 2)))
        let stamp = try self.stamp(row, from: first + 3)
        guard let kind = StoredAction(rawValue: row.integer(first + 5)) else { throw damaged(.outOfRange) }
        if kind == .deletion { return Write(deleting: identity, dot: dot, stamp: stamp) }
        guard let name else { throw damaged(.outOfRange) }
        let fields = try read(row.blob(first + 9)) { (reader) throws(CBORError) in try Fields(from: &reader) }
        let action: Write.Action
        switch kind {
        case .full: action = .full(Write.Content(scope: try scope(row.blob(first + 8)), fields: fields))
        case .partial: action = .partial(of: try self.stamp(row, from: first + 6), fields)
        case .count:
            let content = Write.Content(scope: try scope(row.blob(first + 8)), fields: fields)
            action = .count(begun: try self.stamp(row, from: first + 6), content)
        case .deletion: preconditionFailure("a deletion was read above")
        }
        return Write(dot: dot, identity: identity, name: name, stamp: stamp, action: action)
    }

    /// The stamp that two columns spell.
    func stamp(_ row: borrowing Row, from first: Int32) throws(StoreFailure) -> Stamp {
        Stamp(time: HybridTime(value: row.unsigned(first)), life: try life(row.integer(first + 1)))
    }

    func scope(_ bytes: [UInt8]) throws(StoreFailure) -> Scope {
        do {
            return try Scope(encoded: bytes)
        } catch {
            throw damaged(error)
        }
    }

    func read<Value>(
        _ bytes: [UInt8], _ body: (inout CBORReader) throws(CBORError) -> Value
    ) throws(StoreFailure) -> Value {
        do {
            return try CBORReader.whole(bytes[...], body)
        } catch {
            throw damaged(error)
        }
    }

    /// The identity that two columns spell.
    func identity(_ row: borrowing Row, from first: Int32) throws(StoreFailure) -> RecordIdentity {
        let kind = RecordKind(rawValue: row.unsigned(first))
        guard let hash = KeyHash(bytes: row.blob(first + 1)), kind.lane == lane else {
            throw damaged(.outOfRange)
        }
        return RecordIdentity(kind: kind, hash: hash)
    }

    // MARK: Single records

    /// A record, if there is any trace of it.
    func storedRecord(_ identity: RecordIdentity) throws(StoreFailure) -> StoredRecord? {
        let number = try connection.statement("SELECT number FROM records WHERE kind = ? AND hash = ?")
            .first([.integer(identity.kind.rawValue), .blob(identity.hash.bytes)]) {
                (row) throws(StoreFailure) in
                row.integer(0)
            }
        guard let number else { return nil }
        return try storedRecord(number: number)
    }

    /// The record of a number, if it has writes.
    func storedRecord(number: Int64) throws(StoreFailure) -> StoredRecord? {
        var writes: [(arrival: Arrival, write: Write)] = []
        let query = """
            SELECT arrival, kind, hash, name, \(Self.columns)
            FROM records JOIN writes ON record = records.number WHERE records.number = ?
            """
        try connection.statement(query).rows([.integer(number)]) { (row) throws(StoreFailure) in
            let write = try write(
                row, from: 4, identity: try identity(row, from: 1), name: row.isNull(3) ? nil : row.blob(3))
            writes.append((Arrival(value: row.unsigned(0)), write))
            return true
        }
        guard !writes.isEmpty else { return nil }
        let raw = Record(merging: writes.map(\.write))
        return StoredRecord(number: number, record: swept(raw, writes.map(\.write)), raw: raw, writes: writes)
    }

    /// What clears that have not come to their end leave of a record.
    private func swept(_ raw: Record, _ writes: [Write]) -> Record {
        guard !progress.unswept.isEmpty else { return raw }
        var record = Record(raw.identity)
        for write in writes.compactMap(progress.unswept.remains) { _ = record.merge(write) }
        return record
    }

    // MARK: Many records

    /// The records of a kind that are there, in the order of their identities.
    func records(of kind: RecordKind) throws(StoreFailure) -> [Record] {
        try records("kind = ?", [.integer(kind.rawValue)])
    }

    /// The records that expire after the first time, and not after the last.
    func records(
        expiringAfter first: WallTime, upTo last: WallTime
    ) throws(StoreFailure) -> [Record] {
        try records(
            "expires > ? AND expires <= ?", [.integer(first.milliseconds), .integer(last.milliseconds)])
    }

    private func records(_ condition: String, _ values: [SQLiteValue]) throws(StoreFailure) -> [Record] {
        var (records, current, writes): ([Record], Int64, [Write]) = ([], -1, [])
        let finish = {
            guard !writes.isEmpty else { return }
            let record = self.swept(Record(merging: writes), writes)
            if record.isThere { records.append(record) }
            writes = []
        }
        let query = """
            SELECT records.number, kind, hash, name, \(Self.columns)
            FROM records JOIN writes ON record = records.number WHERE \(condition) ORDER BY kind, hash, arrival
            """
        try connection.statement(query).rows(values) { (row) throws(StoreFailure) in
            if row.integer(0) != current { finish() }
            current = row.integer(0)
            writes.append(
                try write(
                    row, from: 4, identity: try identity(row, from: 1),
                    name: row.isNull(3) ? nil : row.blob(3)))
            return true
        }
        finish()
        return records
    }
}
