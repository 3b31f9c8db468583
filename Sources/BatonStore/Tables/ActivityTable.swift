import BatonCore

/// The rows of the table `activities`.
///
/// They have what is needed to find activities without reading their records.
struct ActivityTable {
    let rows: LaneRows

    private static let columns =
        "hash, device, changed, started, finish, expires, type, sent, origin, bytes, ended"

    /// Updates the row of an activity after its record has changed.
    ///
    /// The row is deleted if the record was deleted.
    ///
    /// Records of other kinds are ignored.
    func recordChange(_ number: Int64, from old: Record?, to new: Record?) throws(StoreFailure) {
        guard let kind = (new ?? old)?.identity.kind, kind == .currentActivity || kind == .savedActivity
        else {
            return
        }
        guard let entry = new.flatMap({ ActivityEntry($0) }) else {
            return try rows.run("DELETE FROM activities WHERE record = ?", .integer(number))
        }
        if old != nil, try change(number, to: entry) { return }
        try rows.run(
            """
            INSERT OR REPLACE INTO activities (record, \(Self.columns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .integer(number), .blob(entry.identity.hash.bytes), SQLiteValue(entry.device),
            .integer(entry.changed.milliseconds), .integer(entry.started.milliseconds),
            .integer(entry.finish.milliseconds), entry.expiration,
            .blob(entry.type.bytes), SQLiteValue(entry.sent), SQLiteValue(entry.origin),
            .integer(Int64(entry.byteCount)), entry.ended)
    }

    /// Updates the row of an activity if only the columns that change often differ.
    ///
    /// Returns false, and writes nothing, if other columns differ.
    ///
    /// SQLite then doesn't write the indexes of the unchanged columns.
    private func change(_ number: Int64, to entry: ActivityEntry) throws(StoreFailure) -> Bool {
        try rows.run(
            """
            UPDATE activities SET changed = ?, finish = ?, bytes = ?
            WHERE record = ? AND ended = ? AND hash = ? AND device IS ? AND started = ? AND expires IS ?
                AND type = ? AND sent IS ? AND origin IS ?
            """,
            .integer(entry.changed.milliseconds), .integer(entry.finish.milliseconds),
            .integer(Int64(entry.byteCount)), .integer(number), entry.ended,
            .blob(entry.identity.hash.bytes), SQLiteValue(entry.device),
            .integer(entry.started.milliseconds), entry.expiration, .blob(entry.type.bytes),
            SQLiteValue(entry.sent), SQLiteValue(entry.origin))
        return rows.connection.lastChangeCount > 0
    }

    /// Whether the table has all activities.
    ///
    /// Right after a backup was restored, the table is empty.
    func isFilled() throws(StoreFailure) -> Bool {
        try rows.statement("SELECT is_whole FROM activities_progress").first([]) {
            (row) throws(StoreFailure) in row.integer(0) != 0
        } ?? false
    }

    /// Stores that the table has all activities.
    func keepFilled() throws(StoreFailure) {
        try rows.run("INSERT OR REPLACE INTO activities_progress (only, is_whole) VALUES (1, 1)")
    }

    // MARK: Queries

    /// Visits the activities of a query that have not expired at this time, until the closure returns false.
    func visit(
        _ query: ActivityQuery, at now: WallTime, _ body: (ActivityEntry) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        let (condition, order, values) = Self.selection(query)
        let text = """
            SELECT \(Self.columns) FROM activities
            WHERE \(condition) AND (expires IS NULL OR expires > ?) ORDER BY \(order)
            """
        try rows.statement(text).rows(values + [.integer(now.milliseconds)]) {
            (row) throws(StoreFailure) in try body(try entry(row))
        }
    }

    /// Returns the condition, the order and the values by which a query selects rows.
    private static func selection(
        _ query: ActivityQuery
    ) -> (condition: String, order: String, values: [SQLiteValue]) {
        let latest = "changed DESC, hash"
        return switch query {
        case .current(let device): ("ended = 0 AND device = ?", latest, [.blob(device.bytes)])
        case .finishedOn(let device): ("ended = 1 AND device = ?", latest, [.blob(device.bytes)])
        case .finished: ("ended = 1", latest, [])
        case .finishedCalled(let range): ("ended = 1 AND hash BETWEEN ? AND ?", "hash", bounds(range))
        case .finishedFrom(let range):
            ("origin IS NOT NULL AND origin BETWEEN ? AND ?", "origin, finish DESC", bounds(range))
        }
    }

    private static func bounds(_ range: ClosedRange<KeyHash>) -> [SQLiteValue] {
        [.blob(range.lowerBound.bytes), .blob(range.upperBound.bytes)]
    }

    private func entry(_ row: borrowing Row) throws(StoreFailure) -> ActivityEntry {
        guard let hash = KeyHash(bytes: row.blob(0)), let type = KeyHash(bytes: row.blob(6)) else {
            throw rows.damaged(.outOfRange)
        }
        return ActivityEntry(
            identity: RecordIdentity(
                kind: row.integer(10) == 0 ? .currentActivity : .savedActivity, hash: hash),
            device: DeviceIdentifier(bytes: row.blob(1)), changed: WallTime(milliseconds: row.integer(2)),
            started: WallTime(milliseconds: row.integer(3)), finish: WallTime(milliseconds: row.integer(4)),
            expires: row.isNull(5) ? nil : WallTime(milliseconds: row.integer(5)), type: type,
            sent: DeviceIdentifier(bytes: row.blob(7)), origin: KeyHash(bytes: row.blob(8)),
            byteCount: Int(row.integer(9)))
    }

    /// Visits the totals of each device's current activities that have not expired at this time.
    func visitTotals(
        at now: WallTime, _ body: (ActivityTotal) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        let query = """
            SELECT device, count(*), sum(bytes) FROM activities INDEXED BY activities_by_device
            WHERE ended = 0 AND (expires IS NULL OR expires > ?) GROUP BY device
            """
        try rows.statement(query).rows([.integer(now.milliseconds)]) { (row) throws(StoreFailure) in
            guard let device = DeviceIdentifier(bytes: row.blob(0)) else { throw rows.damaged(.outOfRange) }
            try body(ActivityTotal(device: device, count: Int(row.integer(1)), bytes: Int(row.integer(2))))
            return true
        }
    }
}

extension ActivityEntry {
    /// The value of the column `expires`.
    fileprivate var expiration: SQLiteValue { expires.map { .integer($0.milliseconds) } ?? .null }

    /// The value of the column `ended`.
    fileprivate var ended: SQLiteValue { .integer(identity.kind == .savedActivity ? Int64(1) : 0) }
}

extension SQLiteValue {
    /// The bytes of an identifier, or NULL.
    fileprivate init(_ identifier: (some Identifier)?) {
        self = identifier.map { .blob($0.bytes) } ?? .null
    }
}
