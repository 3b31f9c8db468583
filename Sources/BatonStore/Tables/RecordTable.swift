import BatonCore

/// The rows of the tables `records` and `further_writes`.
///
/// A row of `records` has the write that opens the record. `further_writes` has all other writes of records.
struct RecordTable {
    let rows: LaneRows

    // MARK: One record

    /// Returns the number of a record; nil if the record has no row, not even for a tombstone.
    func number(of identity: RecordIdentity) throws(StoreFailure) -> Int64? {
        try rows.statement("SELECT number FROM records WHERE kind = ? AND hash = ?")
            .first([.integer(identity.kind.rawValue), .blob(identity.hash.bytes)]) {
                (row) throws(StoreFailure) in row.integer(0)
            }
    }

    /// The columns that `writes(_:)` reads.
    private static let columns = "number, kind, hash, name, arrival, \(WriteColumns.opening)"
    private static let byIdentity = "SELECT \(columns) FROM records WHERE kind = ? AND hash = ?"
    private static let byNumber = "SELECT \(columns) FROM records WHERE number = ?"
    private static let furtherWrites =
        "SELECT arrival, \(WriteColumns.further) FROM further_writes WHERE record = ? ORDER BY arrival"

    /// Returns the number and the writes of a record; nil if the record has no row.
    func writes(
        of identity: RecordIdentity
    ) throws(StoreFailure) -> (number: Int64, writes: [PlacedWrite])? {
        try rows.statement(Self.byIdentity)
            .first([.integer(identity.kind.rawValue), .blob(identity.hash.bytes)]) {
                (row) throws(StoreFailure) in (row.integer(0), try writes(row))
            }
    }

    /// Returns the writes of the record with this number; nil if there is no such record.
    func writes(of number: Int64) throws(StoreFailure) -> [PlacedWrite]? {
        try rows.statement(Self.byNumber).first([.integer(number)]) { (row) throws(StoreFailure) in
            try writes(row)
        }
    }

    private static let plainItem = """
        SELECT name, expires, time_life, scope, fields FROM records
        WHERE number = ?1 AND kind = 9 AND action = 0
            AND NOT EXISTS (SELECT 1 FROM further_writes WHERE record = ?1)
        """

    /// Returns the item with this number, if the item consists of a single write.
    ///
    /// A clear whose sweep has not finished is not applied.
    ///
    /// Returns nil if the record has further writes, or if its name can't be read.
    func item(_ number: Int64) throws(StoreFailure) -> StoredItem? {
        let item = try rows.statement(Self.plainItem).first([.integer(number)]) {
            (row) throws(StoreFailure) -> StoredItem? in
            guard let name = Self.name(row.blob(0)) else { return nil }
            let fields = try rows.decode(row.blob(4)) { (reader) throws(CBORError) in
                try Fields(from: &reader)
            }
            return StoredItem(
                name, Write.Content(scope: try rows.scope(row.blob(3)), fields: fields),
                by: try rows.life(row.integer(2)),
                until: row.isNull(1) ? nil : WallTime(milliseconds: row.integer(1)))
        }
        return item ?? nil
    }

    private static func name(_ encoded: [UInt8]) -> ItemName? {
        do throws(CBORError) { return try ItemName(encoded: encoded) } catch { return nil }
    }

    /// Returns the writes of the record in a row, beginning with the write that opens it.
    private func writes(_ row: borrowing Row) throws(StoreFailure) -> [PlacedWrite] {
        let identity = try rows.identity(row, from: 1)
        let name = row.isNull(3) ? nil : row.blob(3)
        var found: [PlacedWrite] = []
        if !row.isNull(4) {
            let write = try WriteColumns.write(row, from: 5, identity: identity, name: name, rows)
            found.append(PlacedWrite(place: Arrival(value: row.unsigned(4)), write: write))
        }
        try rows.statement(Self.furtherWrites).rows([.integer(row.integer(0))]) {
            (row) throws(StoreFailure) in
            let write = try WriteColumns.write(row, from: 1, identity: identity, name: name, rows)
            found.append(PlacedWrite(place: Arrival(value: row.unsigned(0)), write: write))
            return true
        }
        guard !found.isEmpty else { throw rows.damaged(.outOfRange) }
        return found
    }

    /// Adds a record and its writes, and returns the number of the record.
    func insert(
        _ record: Record, _ writes: [PlacedWrite]
    ) throws(StoreFailure) -> Int64 {
        try rows.statement(
            """
            INSERT INTO records (kind, hash, name, expires, arrival, life, sequence, place, time, time_life, action,
                fields, scope)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            [
                .integer(record.identity.kind.rawValue), .blob(record.identity.hash.bytes), record.storedName,
                record.storedExpiration,
            ] + (try opening(of: writes)))
        let number = rows.connection.lastInserted
        for placed in writes where !placed.write.isOpening { try insertFurther(placed, into: number) }
        return number
    }

    /// Replaces a record and its writes.
    ///
    /// The statements name only columns that have changed, because SQLite writes the indexes of every named column.
    func update(
        _ number: Int64, from old: (record: Record, writes: [PlacedWrite]),
        to new: (record: Record, writes: [PlacedWrite])
    ) throws(StoreFailure) {
        let (before, after) = (
            old.writes.first(where: \.write.isOpening), new.writes.first(where: \.write.isOpening)
        )
        if let before, let after, let values = Self.plainChange(from: before, to: after) {
            try rows.statement(Self.changePlainly).run(values + [.integer(number)])
        } else if before != after {
            var values = try opening(of: new.writes)
            var columns = """
                arrival = ?, life = ?, sequence = ?, place = ?, time = ?, time_life = ?, action = ?, fields = ?
                """
            if before?.write.scope == after?.write.scope {
                values.removeLast()
            } else {
                columns += ", scope = ?"
            }
            try rows.statement("UPDATE records SET \(columns) WHERE number = ?").run(
                values + [.integer(number)])
        }
        if old.record.name != new.record.name || old.record.expiration != new.record.expiration {
            try rows.run(
                "UPDATE records SET name = ?, expires = ? WHERE number = ?", new.record.storedName,
                new.record.storedExpiration, .integer(number))
        }
        try updateFurther(of: number, from: old.writes, to: new.writes)
    }

    private static let changePlainly =
        "UPDATE records SET arrival = ?, sequence = ?, time = ?, fields = ? WHERE number = ?"

    /// Returns the values of the columns that change when a full write replaces a full write of the same life.
    ///
    /// Returns nil if other columns differ, too.
    ///
    /// The columns that refer to lives are not among them, because SQLite looks up the life whenever such a column is
    /// written.
    private static func plainChange(from old: PlacedWrite, to new: PlacedWrite) -> [SQLiteValue]? {
        guard case .full(let before) = old.write.action, case .full(let content) = new.write.action,
            old.place != new.place, before.scope == content.scope,
            old.write.dot.origin == new.write.dot.origin, old.write.dot.place == new.write.dot.place,
            old.write.stamp.life == new.write.stamp.life
        else { return nil }
        return [
            .integer(new.place.value), .integer(new.write.dot.sequence), .integer(new.write.stamp.time.value),
            .blob(content.fields.encoded),
        ]
    }

    /// Returns the values of the columns for the write that opens a record.
    ///
    /// The first value is the column `arrival`, and the last is the scope.
    private func opening(
        of writes: [PlacedWrite]
    ) throws(StoreFailure) -> [SQLiteValue] {
        guard let placed = writes.first(where: \.write.isOpening) else {
            return [SQLiteValue](repeating: .null, count: 9)
        }
        let columns = try WriteColumns(placed.write, rows)
        return [.integer(placed.place.value)] + columns.dot + columns.stamp
            + [columns.action, columns.fields, columns.scope]
    }

    private func updateFurther(
        of number: Int64, from old: [PlacedWrite], to new: [PlacedWrite]
    ) throws(StoreFailure) {
        for placed in old where !placed.write.isOpening && !new.contains(placed) {
            try rows.run("DELETE FROM further_writes WHERE arrival = ?", .integer(placed.place.value))
        }
        for placed in new where !placed.write.isOpening && !old.contains(placed) {
            try insertFurther(placed, into: number)
        }
    }

    private func insertFurther(
        _ placed: PlacedWrite, into record: Int64
    ) throws(StoreFailure) {
        let columns = try WriteColumns(placed.write, rows)
        try rows.statement(
            """
            INSERT INTO further_writes
                (arrival, record, life, sequence, place, time, time_life, action, base, base_life, scope, fields)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            [.integer(placed.place.value), .integer(record)] + columns.dot + columns.stamp + [columns.action]
                + columns.base + [columns.scope, columns.fields])
    }

    /// Removes a record and all its writes.
    func remove(_ number: Int64) throws(StoreFailure) {
        try rows.run("DELETE FROM further_writes WHERE record = ?", .integer(number))
        try rows.run("DELETE FROM records WHERE number = ?", .integer(number))
    }

    // MARK: Many records

    /// Visits the writes of each record of a kind, in the order of the records' identities.
    ///
    /// A record is skipped without reading its writes if its hash is the name of a note in `space`.
    func visit(
        of kind: RecordKind, besides space: NoteSpace?, _ body: ([Write]) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        guard let space else { return try visit("kind = ?", [.integer(kind.rawValue)], body) }
        let condition = "kind = ? AND NOT EXISTS (SELECT 1 FROM notes WHERE space = ? AND notes.name = hash)"
        try visit(condition, [.integer(kind.rawValue), .integer(Int64(space.rawValue))], body)
    }

    /// Visits the clears in the order of their identities, until the closure returns false.
    ///
    /// A clear is skipped if its scope can't be read.
    ///
    /// A lane may have any number of clears, so they are not returned as a list.
    func visitClears(
        _ body: (ClearRow) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        let kind = RecordKind.clear(in: rows.lane)
        let query = "SELECT number, kind, hash, name FROM records WHERE kind = ? AND action = 0 ORDER BY hash"
        try rows.statement(query).rows([.integer(kind.rawValue)]) { (row) throws(StoreFailure) in
            guard let clear = try rows.clear(row) else { return true }
            return try body(clear)
        }
    }

    /// Visits the writes of each record that expires after `first` and not after `last`.
    func visit(
        expiringAfter first: WallTime, upTo last: WallTime,
        _ body: ([Write]) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        try visit(
            "expires > ? AND expires <= ?", [.integer(first.milliseconds), .integer(last.milliseconds)], body)
    }

    /// Returns the number of items within a scope that have expired.
    ///
    /// Only expired records are read. They are few, because they are deleted after some days.
    func expiredItems(within scope: Scope, at now: WallTime) throws(StoreFailure) -> Int {
        let query = """
            SELECT count(*) FROM records INDEXED BY records_by_expiration
            WHERE expires <= ? AND kind = ? AND action = 0 AND scope >= ? AND scope < ?
            """
        let count = try rows.statement(query).first([
            .integer(now.milliseconds), .integer(RecordKind.item.rawValue), .blob(scope.encoded),
            .blob(WriteTable.end(of: scope)),
        ]) { (row) in Int(row.integer(0)) }
        return count ?? 0
    }

    private func visit(
        _ condition: String, _ values: [SQLiteValue],
        _ body: ([Write]) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        let query = "SELECT \(Self.columns) FROM records WHERE \(condition) ORDER BY kind, hash"
        try rows.statement(query).rows(values) { (row) throws(StoreFailure) in
            try body(try writes(row).map(\.write))
            return true
        }
    }

    /// Visits the numbers of all records.
    func visitNumbers(_ body: (Int64) throws(StoreFailure) -> Void) throws(StoreFailure) {
        try rows.statement("SELECT number FROM records").rows([]) { (row) throws(StoreFailure) in
            try body(row.integer(0))
            return true
        }
    }

    /// Visits the records after `last` in the order of their identities, until the closure returns false.
    ///
    /// Returns true if the last record was reached.
    func visit(
        after last: RecordIdentity?, _ body: (Int64, RecordIdentity) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) -> Bool {
        let query = """
            SELECT number, kind, hash FROM records WHERE (kind, hash) > (?, ?) ORDER BY kind, hash
            """
        // No kind is below zero, so every record comes after this place.
        let values: [SQLiteValue] =
            last.map { [.integer($0.kind.rawValue), .blob($0.hash.bytes)] } ?? [
                .integer(Int64(-1)), .blob([]),
            ]
        return try visit(query, values, body)
    }

    /// Visits the records of a kind in one part, in the order of their hashes, until the closure returns false.
    ///
    /// The records of a part have hashes that begin with the byte `part`. Only records after `hash` are visited.
    /// Returns true if the last record was reached.
    func visit(
        part: UInt8, ofKind kind: UInt64, after hash: KeyHash?,
        _ body: (Int64, RecordIdentity) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) -> Bool {
        // SQLite sorts a blob before all longer blobs that begin with it. So the blob `[part]` is before the first hash
        // of the part.
        let end = part == .max ? [UInt8](repeating: .max, count: 17) : [part + 1]
        let query = """
            SELECT number, kind, hash FROM records WHERE kind = ? AND hash > ? AND hash < ? ORDER BY hash
            """
        return try visit(query, [.integer(kind), .blob(hash?.bytes ?? [part]), .blob(end)], body)
    }

    private func visit(
        _ query: String, _ values: [SQLiteValue],
        _ body: (Int64, RecordIdentity) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) -> Bool {
        var isWhole = true
        try rows.statement(query).rows(values) { (row) throws(StoreFailure) in
            isWhole = try body(row.integer(0), try rows.identity(row, from: 1))
            return isWhole
        }
        return isWhole
    }

    /// Returns the lowest kind from `least` on of which there are records.
    func kind(from least: UInt64) throws(StoreFailure) -> UInt64? {
        try rows.statement("SELECT kind FROM records WHERE kind >= ? ORDER BY kind LIMIT 1")
            .first([.integer(least)]) { (row) throws(StoreFailure) in row.unsigned(0) }
    }

    /// Returns the identities of all client states that have a row, even if only for a tombstone.
    func stateIdentities() throws(StoreFailure) -> [RecordIdentity] {
        try rows.stateIdentities(
            "SELECT hash FROM records WHERE kind = ?", [.integer(RecordKind.clientState.rawValue)])
    }

    // MARK: Numbers of records

    /// Returns the next records after `place` that have expired at this time, in the order in which they expired.
    func expired(
        at time: WallTime, after place: SweepRequest.Place?, most: Int
    ) throws(StoreFailure) -> [Int64] {
        let query = """
            SELECT number FROM records WHERE expires <= ? AND (expires, kind, hash) > (?, ?, ?)
            ORDER BY expires, kind, hash LIMIT ?
            """
        return try rows.numbers(
            query,
            [
                .integer(time.milliseconds), .integer(place?.expiration.milliseconds ?? .min),
                // Records of the lowest kind never expire, so all expired records come after this place.
                .integer(place?.identity.kind.rawValue ?? 0), .blob(place?.identity.hash.bytes ?? []),
                .integer(Int64(most)),
            ])
    }

    /// Returns the next records after a number, of any kind.
    func numbers(after number: Int64, most: Int) throws(StoreFailure) -> [Int64] {
        try rows.numbers(
            "SELECT number FROM records WHERE number > ? ORDER BY number LIMIT ?",
            [.integer(number), .integer(Int64(most))])
    }

    /// Returns the next `most` items after a number.
    ///
    /// The plus sign before `kind` prevents SQLite from using the index of kinds. With that index, SQLite would sort
    /// all items in each call.
    func items(after number: Int64, most: Int) throws(StoreFailure) -> [Int64] {
        try rows.numbers(
            "SELECT number FROM records WHERE number > ? AND +kind = ? ORDER BY number LIMIT ?",
            [.integer(number), .integer(RecordKind.item.rawValue), .integer(Int64(most))])
    }

    /// Returns the numbers of all records of a kind.
    func numbers(of kind: RecordKind) throws(StoreFailure) -> [Int64] {
        try rows.numbers("SELECT number FROM records WHERE kind = ?", [.integer(kind.rawValue)])
    }

    /// Returns the items whose full writes have the latest times, latest first.
    func newestItems(most: Int) throws(StoreFailure) -> [Int64] {
        // The index is partial, and SQLite uses it only if the query repeats the conditions of the index.
        let query = """
            SELECT number FROM records INDEXED BY records_by_time WHERE kind = 9 AND action = 0
            ORDER BY time DESC LIMIT ?
            """
        return try rows.numbers(query, [.integer(Int64(most))])
    }

    /// Sorts the numbers by the times of the records' last full writes, latest first.
    func newestFirst(_ numbers: [Int64]) throws(StoreFailure) -> [Int64] {
        var records: [(number: Int64, time: Int64, hash: [UInt8])] = []
        for number in numbers {
            let found = try rows.statement("SELECT time, hash FROM records WHERE number = ?")
                .first([.integer(number)]) { (row) in (row.integer(0), row.blob(1)) }
            if let (time, hash) = found { records.append((number, time, hash)) }
        }
        return records.sorted { left, right in
            left.time != right.time
                ? left.time > right.time : left.hash.lexicographicallyPrecedes(right.hash)
        }.map(\.number)
    }

    /// Returns the records that have a write that arrived after `place`; nil if there are more than `most` such
    /// records.
    func changed(
        after place: Arrival, most: Int
    ) throws(StoreFailure) -> [(number: Int64, identity: RecordIdentity)]? {
        var changed: [(Int64, RecordIdentity)] = []
        let query = """
            SELECT number, kind, hash FROM records WHERE arrival > ?1
            UNION SELECT number, kind, hash FROM further_writes JOIN records ON number = record
            WHERE further_writes.arrival > ?1 LIMIT ?2
            """
        try rows.statement(query).rows([.integer(place.value), .integer(Int64(most + 1))]) {
            (row) throws(StoreFailure) in
            changed.append((row.integer(0), try rows.identity(row, from: 1)))
            return true
        }
        return changed.count > most ? nil : changed
    }

    /// Returns the next counts of openings after `hash`, in the order of their hashes.
    ///
    /// Deleted counts are left out.
    func uses(after hash: KeyHash?, most: Int) throws(StoreFailure) -> [(number: Int64, key: RecordKey)] {
        var uses: [(Int64, RecordKey)] = []
        let kind = SQLiteValue.integer(RecordKind.engagement.rawValue)
        let query = """
            SELECT number, kind, hash, name FROM records WHERE kind = ? AND hash > ? AND name IS NOT NULL
            ORDER BY hash LIMIT ?
            """
        try rows.statement(query).rows([kind, .blob(hash?.bytes ?? []), .integer(Int64(most))]) {
            (row) throws(StoreFailure) in
            uses.append((row.integer(0), RecordKey(try rows.identity(row, from: 1), name: row.blob(3))))
            return true
        }
        return uses
    }

    /// Returns the identity of the record with this number.
    func identity(of number: Int64) throws(StoreFailure) -> RecordIdentity? {
        try rows.statement("SELECT kind, hash FROM records WHERE number = ?").first([.integer(number)]) {
            (row) throws(StoreFailure) in try rows.identity(row, from: 0)
        }
    }

    /// Whether a record exists and is not only a tombstone.
    func exists(_ identity: RecordIdentity) throws(StoreFailure) -> Bool {
        try rows.statement("SELECT name IS NOT NULL FROM records WHERE kind = ? AND hash = ?")
            .first([.integer(identity.kind.rawValue), .blob(identity.hash.bytes)]) {
                (row) in row.integer(0) != 0
            } ?? false
    }

    /// Returns the next activity after a number.
    ///
    /// The plus sign in the query has the same reason as in `items(after:most:)`.
    func activity(after number: Int64) throws(StoreFailure) -> Int64? {
        try rows.numbers(
            "SELECT number FROM records WHERE number > ? AND +kind IN (?, ?) ORDER BY number LIMIT 1",
            [
                .integer(number), .integer(RecordKind.currentActivity.rawValue),
                .integer(RecordKind.savedActivity.rawValue),
            ]
        ).first
    }

    // MARK: Facts

    /// Whether the record with this number has expired at this time; nil if there is no record, or only a tombstone.
    func hasExpired(_ number: Int64, at time: WallTime) throws(StoreFailure) -> Bool? {
        try rows.statement("SELECT expires <= ? FROM records WHERE number = ? AND action = 0")
            .first([.integer(time.milliseconds), .integer(number)]) { (row) throws(StoreFailure) in
                row.integer(0) != 0
            }
    }

    /// Returns the app of a record, which is the first part of the record's scope.
    ///
    /// Returns nil if the record has no scope, for example because it was deleted.
    func app(of number: Int64) throws(StoreFailure) -> String? {
        try rows.statement("SELECT scope FROM records WHERE number = ? AND scope IS NOT NULL")
            .first([.integer(number)]) { (row) throws(StoreFailure) in try rows.scope(row.blob(0)) }?
            .parts.first
    }

    /// Counts the records of a kind that exist and have not expired at this time.
    func count(of kind: RecordKind, at time: WallTime) throws(StoreFailure) -> Int {
        let query = """
            SELECT count(*) FROM records
            WHERE kind = ? AND (expires IS NULL OR expires > ?) AND action = 0
            """
        return try rows.statement(query).first([.integer(kind.rawValue), .integer(time.milliseconds)]) {
            (row) in Int(row.integer(0))
        } ?? 0
    }

    /// Throws if any record has a hash that does not match its name.
    func demandNames() throws(StoreFailure) {
        try rows.statement("SELECT kind, hash, name FROM records WHERE name IS NOT NULL").rows([]) {
            (row) throws(StoreFailure) in
            let identity = try rows.identity(row, from: 0)
            guard RecordKey(kind: identity.kind, name: row.blob(2)).identity == identity else {
                throw rows.damaged(.outOfRange)
            }
            return true
        }
    }
}

/// The number, identity and scope of a clear in the table `records`.
struct ClearRow {
    let number: Int64
    let identity: RecordIdentity
    let scope: Scope
}

extension LaneRows {
    /// Reads a clear from a row that begins with the columns number, kind, hash and name.
    ///
    /// Returns nil if the scope of the clear can't be read.
    ///
    /// Only a newer version of Baton writes such a scope, and the record clears nothing in this store.
    func clear(_ row: borrowing Row) throws(StoreFailure) -> ClearRow? {
        let identity = try identity(row, from: 1)
        do throws(CBORError) {
            let scope = try Scope(clear: RecordKey(identity, name: row.blob(3)))
            return ClearRow(number: row.integer(0), identity: identity, scope: scope)
        } catch {
            return nil
        }
    }
}

extension Write {
    /// The scope of a full write; nil for all other writes.
    fileprivate var scope: Scope? { if case .full(let content) = action { content.scope } else { nil } }
}

extension Record {
    fileprivate var storedName: SQLiteValue { name.map(SQLiteValue.blob) ?? .null }
    fileprivate var storedExpiration: SQLiteValue {
        expiration.map { .integer($0.milliseconds) } ?? .null
    }
}
