import BatonCore

/// The surviving writes of a lane, which are in the tables `records` and `further_writes`.
struct WriteTable {
    let rows: LaneRows

    // MARK: The order of arrival

    /// The parts of a write that are read before the whole row is decoded.
    struct Entry {
        let place: Arrival
        let origin: Origin
        let sequence: UInt64
        let kind: RecordKind

        init(place: Arrival, origin: Origin, sequence: UInt64, kind: RecordKind) {
            self.place = place
            self.origin = origin
            self.sequence = sequence
            self.kind = kind
        }

        init(_ placed: PlacedWrite) {
            let dot = placed.write.dot
            self.init(
                place: placed.place, origin: dot.origin, sequence: dot.sequence,
                kind: placed.write.identity.kind)
        }
    }

    private static let opening =
        "SELECT arrival, \(WriteColumns.opening), kind, hash, name FROM records WHERE arrival > ?1"
    private static let openings = "\(opening) ORDER BY 1"
    private static let all = """
        \(opening) UNION ALL
        SELECT further_writes.arrival, \(WriteColumns.further), kind, hash, name
        FROM further_writes JOIN records ON number = record WHERE further_writes.arrival > ?1
        ORDER BY 1
        """

    /// Visits the writes that arrived after `place`, in the order of their arrival, until the closure returns false.
    ///
    /// If the closure needs the whole write, it calls `decode`.
    ///
    /// All writes after `lastFurther` open records. So if `place` is not before `lastFurther`, only the table `records`
    /// is read.
    func visit(
        after place: Arrival, upTo lastFurther: Arrival,
        _ body: (Entry, _ decode: () throws(StoreFailure) -> Write) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        let query = place < lastFurther ? Self.all : Self.openings
        try rows.statement(query).rows([.integer(place.value)]) { (row) throws(StoreFailure) in
            let entry = Entry(
                place: Arrival(value: row.unsigned(0)), origin: try rows.origin(row.integer(1)),
                sequence: row.unsigned(2), kind: RecordKind(rawValue: row.unsigned(11)))
            return try body(entry) { () throws(StoreFailure) in try write(row) }
        }
    }

    private static let clears = """
        SELECT arrival, \(WriteColumns.opening), kind, hash, name FROM records INDEXED BY clears_by_arrival
        WHERE kind <= 1 AND arrival > ? ORDER BY arrival
        """

    /// Visits the clears that arrived after `place`, in the order of their arrival, until the closure returns false.
    ///
    /// Every clear opens a record, so only the table `records` is read.
    func visitClears(
        after place: Arrival,
        _ body: (Arrival, Write) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        try rows.statement(Self.clears).rows([.integer(place.value)]) { (row) throws(StoreFailure) in
            try body(Arrival(value: row.unsigned(0)), try write(row))
        }
    }

    /// Returns the write in a row of one of the queries `all`, `openings` and `clears`.
    private func write(_ row: borrowing Row) throws(StoreFailure) -> Write {
        try WriteColumns.write(
            row, from: 1, identity: try rows.identity(row, from: 11),
            name: row.isNull(13) ? nil : row.blob(13), rows)
    }

    /// Returns the place in the order of arrival of the last clear; zero if there is no clear.
    func lastClearPlace() throws(StoreFailure) -> Arrival {
        try place(
            """
            SELECT arrival FROM records INDEXED BY clears_by_arrival WHERE kind <= 1 ORDER BY arrival DESC LIMIT 1
            """, [])
    }

    /// Returns the place in the order of arrival of the last write that opens no record; zero if there is none.
    func lastFurtherPlace() throws(StoreFailure) -> Arrival {
        try place("SELECT max(arrival) FROM further_writes", [])
    }

    private func place(_ query: String, _ values: [SQLiteValue]) throws(StoreFailure) -> Arrival {
        try rows.statement(query).first(values) { (row) in Arrival(value: row.unsigned(0)) } ?? .none
    }

    private static let openingDot = "SELECT arrival, life, sequence FROM records WHERE arrival > ?1"
    private static let openingDots = "\(openingDot) ORDER BY 1 LIMIT ?2"
    private static let allDots = """
        \(openingDot) UNION ALL SELECT arrival, life, sequence FROM further_writes WHERE arrival > ?1
        ORDER BY 1 LIMIT ?2
        """

    /// Returns the last place up to which all writes are claimed, beginning at `start`.
    ///
    /// Reads no more than `most` writes.
    ///
    /// If all writes are claimed, this is `head`, because the writes at the last places may have been removed. All
    /// writes after `lastFurther` open records, so only the table `records` is read for them.
    func settled(
        by complete: VersionVector, after start: Arrival, upTo head: Arrival, lastFurther: Arrival, most: Int
    ) throws(StoreFailure) -> Arrival {
        guard start < head else { return head }
        var (place, count, isAllClaimed) = (start, 0, true)
        try rows.statement(start < lastFurther ? Self.allDots : Self.openingDots)
            .rows([.integer(start.value), .integer(Int64(most))]) { (row) throws(StoreFailure) in
                let origin = try rows.origin(row.integer(1))
                isAllClaimed = complete[origin] >= row.unsigned(2)
                place = Arrival(value: row.unsigned(0) - (isAllClaimed ? 0 : 1))
                count += 1
                return isAllClaimed
            }
        return isAllClaimed && count < most ? head : place
    }

    /// Whether there are writes after a place.
    func hasWrites(after place: Arrival) throws(StoreFailure) -> Bool {
        try rows.statement(
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM records WHERE arrival > ?1)
                OR EXISTS (SELECT 1 FROM further_writes WHERE arrival > ?1)
            """
        ).first([.integer(place.value)]) { (_) throws(StoreFailure) in true } ?? false
    }

    /// Returns the number of writes.
    func count() throws(StoreFailure) -> Int {
        try rows.statement(
            "SELECT (SELECT count(arrival) FROM records) + (SELECT count(*) FROM further_writes)"
        ).first([]) { (row) in Int(row.integer(0)) } ?? 0
    }

    // MARK: Scopes

    /// A place in the order of rows by scope, and then by the number of the record.
    typealias ScopePlace = (scope: [UInt8], record: Int64)

    /// Finds the records with writes in a scope after a place; a record has one row for each of these writes.
    private static let inScope = """
        SELECT number, scope FROM records WHERE (scope, number) > (?1, ?2) AND scope < ?3
        UNION ALL
        SELECT record, scope FROM further_writes WHERE (scope, record) > (?1, ?2) AND scope < ?3
        """

    private static func values(
        _ scope: Scope, _ after: ScopePlace, _ most: Int
    ) -> [SQLiteValue] {
        [.blob(after.scope), .integer(after.record), .blob(end(of: scope)), .integer(Int64(most))]
    }

    /// Returns the numbers of the records with writes in a scope.
    ///
    /// A record is in the list once for each of these writes. `last` is the place of the last write in the list; nil if
    /// no writes follow.
    func records(
        in scope: Scope, after: ScopePlace, most: Int
    ) throws(StoreFailure) -> (numbers: [Int64], last: ScopePlace?) {
        var (numbers, last): ([Int64], ScopePlace?) = ([], nil)
        try rows.statement("\(Self.inScope) ORDER BY 2, 1 LIMIT ?4").rows(Self.values(scope, after, most)) {
            (row) throws(StoreFailure) in
            numbers.append(row.integer(0))
            if numbers.count == most { last = (row.blob(1), row.integer(0)) }
            return true
        }
        return (numbers, last)
    }

    /// Counts the writes in a scope after a place.
    ///
    /// The count ends at `most`.
    func count(in scope: Scope, after: ScopePlace, most: Int) throws(StoreFailure) -> Int {
        try rows.statement("SELECT count(*) FROM (\(Self.inScope) LIMIT ?4)")
            .first(Self.values(scope, after, most)) { (row) in Int(row.integer(0)) } ?? 0
    }

    /// Visits each write in a scope that began something at an unbelieved time (`HybridTime.isUnbelieved`).
    ///
    /// The closure is given the scope of the write and the stamp of the beginning. The visit ends when the closure
    /// returns false.
    func visitUnbelieved(
        in scope: Scope, _ body: (Scope, _ begun: Stamp) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        // Only full writes and writes of counters have a scope.
        let query = """
            SELECT scope, time, time_life FROM records WHERE scope >= ?1 AND scope < ?2 AND time > ?3
            UNION ALL
            SELECT scope, base, base_life FROM further_writes WHERE scope >= ?1 AND scope < ?2 AND base > ?3
            """
        let values: [SQLiteValue] = [
            .blob(scope.encoded), .blob(Self.end(of: scope)), .integer(HybridTime.largestBelieved.value),
        ]
        try rows.statement(query).rows(values) { (row) throws(StoreFailure) in
            try body(try rows.scope(row.blob(0)), try rows.stamp(row, from: 1))
        }
    }

    /// Returns an upper bound of all encoded scopes within a scope.
    ///
    /// The bound itself is not within the scope.
    ///
    /// Each part of an encoded scope is a CBOR text. The first byte of such a text is never 0xff.
    static func end(of scope: Scope) -> [UInt8] { scope.encoded + [0xff] }

    // MARK: Deletions

    /// Returns the numbers of the records with a deletion that this origin wrote.
    ///
    /// The deletion must have at most this sequence, and its time must be later than `time`.
    func deletions(
        of origin: Origin, to sequence: UInt64, after time: HybridTime?, most: Int
    ) throws(StoreFailure) -> [Int64] {
        guard let life = try rows.knownNumber(of: origin.life) else { return [] }
        let query = """
            SELECT number FROM records INDEXED BY records_by_deletion
            WHERE action = 1 AND life = ? AND sequence <= ? AND time > ? AND time <= ?
            ORDER BY sequence LIMIT ?
            """
        let values: [SQLiteValue] = [
            .integer(life), .integer(sequence), .integer(time.map { Int64($0.value) } ?? -1),
            .integer(HybridTime.largestBelieved.value), .integer(Int64(most)),
        ]
        return try rows.numbers(query, values)
    }

    /// Returns the time of the earliest deletion; nil if there is none.
    ///
    /// The records in `gone` are ignored.
    func earliestDeletion(except gone: Set<Int64>) throws(StoreFailure) -> HybridTime? {
        var earliest: HybridTime?
        let query = """
            SELECT number, time FROM records INDEXED BY deletions_by_time WHERE action = 1 ORDER BY time
            """
        try rows.statement(query).rows([]) { (row) in
            if !gone.contains(row.integer(0)) { earliest = HybridTime(value: row.unsigned(1)) }
            return earliest == nil
        }
        return earliest
    }

    // MARK: Clears

    /// Returns the time of the latest clear that a vector does not cover; nil if the vector covers all clears.
    ///
    /// Clears that the vector covers are not read, however many there are.
    func latestClear(beyond vector: VersionVector) throws(StoreFailure) -> HybridTime? {
        var latest: HybridTime?
        var life: Int64?
        while let next = try clearLife(after: life) {
            life = next
            let origin = try rows.origin(next)
            let query = """
                SELECT max(time) FROM records INDEXED BY clears_by_dot
                WHERE kind <= 1 AND action = 0 AND life = ? AND sequence > ?
                """
            let time =
                try rows.statement(query).first(
                    [.integer(next), .integer(Int64(clamping: vector[origin]))]
                ) { (row) in row.isNull(0) ? nil : HybridTime(value: row.unsigned(0)) } ?? nil
            if let time { latest = max(latest ?? time, time) }
        }
        return latest
    }

    /// Returns the number of the next life that has written a clear; nil if there is none.
    private func clearLife(after life: Int64?) throws(StoreFailure) -> Int64? {
        let query = """
            SELECT life FROM records INDEXED BY clears_by_dot
            WHERE kind <= 1 AND action = 0 AND life > ? ORDER BY life LIMIT 1
            """
        return try rows.statement(query).first([.integer(life ?? .min)]) { (row) in row.integer(0) }
    }

    /// Returns the time of the earliest clear; nil if there is none.
    func earliestClear() throws(StoreFailure) -> HybridTime? {
        let query = """
            SELECT time FROM records INDEXED BY clears_by_time WHERE kind <= 1 AND action = 0 ORDER BY time LIMIT 1
            """
        return try rows.statement(query).first([]) { (row) in HybridTime(value: row.unsigned(0)) }
    }

    /// Visits the clears that an origin wrote, until the closure returns false.
    ///
    /// Each clear must have at most this sequence, and must be earlier than `time`. A clear is skipped if its scope
    /// can't be read.
    func visitClears(
        of origin: Origin, to sequence: UInt64, before time: HybridTime?,
        _ body: (ClearRow) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        guard let life = try rows.knownNumber(of: origin.life) else { return }
        let query = """
            SELECT number, kind, hash, name FROM records INDEXED BY clears_by_dot
            WHERE kind <= 1 AND action = 0 AND life = ? AND sequence <= ? AND time < ? ORDER BY sequence
            """
        let believed = HybridTime.largestBelieved.value + 1
        let values: [SQLiteValue] = [
            .integer(life), .integer(Int64(clamping: sequence)),
            .integer(Int64(clamping: min(time?.value ?? believed, believed))),
        ]
        try rows.statement(query).rows(values) { (row) throws(StoreFailure) in
            guard let clear = try rows.clear(row) else { return true }
            return try body(clear)
        }
    }
}
