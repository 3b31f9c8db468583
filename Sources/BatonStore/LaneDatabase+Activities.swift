import BatonCore

/// The table by which activities are found, which is kept in step with the records.
extension LaneDatabase {
    private static let entryColumns =
        "hash, device, changed, started, finish, expires, type, sent, origin, bytes, ended"

    // MARK: Keeping it in step

    /// Notes what became of an activity; nil if its record is gone.
    func noteActivity(_ number: Int64, from old: Record?, to new: Record?) throws(StoreFailure) {
        guard let kind = (new ?? old)?.identity.kind, kind == .currentActivity || kind == .savedActivity
        else {
            return
        }
        guard let entry = new.flatMap({ ActivityEntry($0) }) else {
            return try connection.run("DELETE FROM activities WHERE record = ?", .integer(number))
        }
        try connection.run(
            """
            INSERT OR REPLACE INTO activities (record, \(Self.entryColumns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .integer(number), .blob(entry.identity.hash.bytes), SQLiteValue(entry.device),
            .integer(entry.changed.milliseconds), .integer(entry.started.milliseconds),
            .integer(entry.finish.milliseconds), entry.expires.map { .integer($0.milliseconds) } ?? .null,
            .blob(entry.type.bytes), SQLiteValue(entry.sent), SQLiteValue(entry.origin),
            .integer(Int64(entry.byteCount)), .integer(kind == .savedActivity ? Int64(1) : 0))
    }

    /// Fills the table where it does not hold what stood here before, or came from a backup.
    func loadActivities() throws(StoreFailure) {
        let isWhole = try connection.statement("SELECT is_whole FROM activities_progress").first([]) {
            (row) throws(StoreFailure) in row.integer(0) != 0
        }
        guard isWhole != true else { return }
        try connection.script("BEGIN IMMEDIATE")
        do {
            try fillActivities()
            try connection.script("COMMIT")
        } catch {
            if connection.isInTransaction { try connection.script("ROLLBACK") }
            throw error
        }
    }

    private func fillActivities() throws(StoreFailure) {
        try connection.run("DELETE FROM activities")
        var last = Int64.min
        while let number = try nextActivity(after: last) {
            if let record = try storedRecord(number: number)?.raw {
                try noteActivity(number, from: nil, to: record)
            }
            last = number
        }
        try connection.run("INSERT OR REPLACE INTO activities_progress (only, is_whole) VALUES (1, 1)")
    }

    private func nextActivity(after number: Int64) throws(StoreFailure) -> Int64? {
        try connection.statement(
            "SELECT number FROM records WHERE number > ? AND kind IN (?, ?) ORDER BY number LIMIT 1"
        )
        .first([
            .integer(number), .integer(RecordKind.currentActivity.rawValue),
            .integer(RecordKind.savedActivity.rawValue),
        ]) { (row) throws(StoreFailure) in row.integer(0) }
    }

    // MARK: Queries

    /// Visits activities that have not expired at that time, until the closure answers false.
    func visitActivities(
        _ query: ActivityQuery, at now: WallTime, _ body: (ActivityEntry) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        let (condition, order, values) = Self.selection(query)
        let text = """
            SELECT \(Self.entryColumns) FROM activities
            WHERE \(condition) AND (expires IS NULL OR expires > ?) ORDER BY \(order)
            """
        try connection.statement(text).rows(values + [.integer(now.milliseconds)]) {
            (row) throws(StoreFailure) in try body(try entry(row))
        }
    }

    /// The rows that a query means, as a condition and an order.
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
            throw damaged(.outOfRange)
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

    /// Visits the devices that have activities which have not expired at that time, in their order.
    func visitActivityTotals(
        at now: WallTime, _ body: (ActivityTotal) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        let query = """
            SELECT device, count(*), sum(bytes) FROM activities INDEXED BY activities_by_device
            WHERE ended = 0 AND (expires IS NULL OR expires > ?) GROUP BY device
            """
        try connection.statement(query).rows([.integer(now.milliseconds)]) { (row) throws(StoreFailure) in
            guard let device = DeviceIdentifier(bytes: row.blob(0)) else { throw damaged(.outOfRange) }
            try body(ActivityTotal(device: device, count: Int(row.integer(1)), bytes: Int(row.integer(2))))
            return true
        }
    }
}

extension SQLiteValue {
    /// The bytes of an identifier, or NULL.
    fileprivate init(_ identifier: (some Identifier)?) {
        self = identifier.map { .blob($0.bytes) } ?? .null
    }
}
