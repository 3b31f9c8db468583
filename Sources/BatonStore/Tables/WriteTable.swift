import BatonCore

/// The rows of `writes`: the surviving writes in the order of their arrival.
struct WriteTable {
    let rows: LaneRows

    // MARK: One write

    /// The columns that `write(_:from:identity:name:_:)` reads.
    static let columns =
        "writes.life, sequence, place, time, time_life, action, base, base_life, scope, fields"

    /// Returns the write of a row whose columns begin at this place.
    func write(
        _ row: borrowing Row, from first: Int32, identity: RecordIdentity, name: [UInt8]?,
        _ lives: LifeNumbers
    ) throws(StoreFailure) -> Write {
        let dot = try rows.dot(row, from: first, lives)
        let stamp = try rows.stamp(row, from: first + 3, lives)
        guard let kind = StoredAction(rawValue: row.integer(first + 5)) else {
            throw rows.damaged(.outOfRange)
        }
        if kind == .deletion { return Write(deleting: identity, dot: dot, stamp: stamp) }
        guard let name else { throw rows.damaged(.outOfRange) }
        let fields = try rows.decode(row.blob(first + 9)) { (reader) throws(CBORError) in
            try Fields(from: &reader)
        }
        let action: Write.Action
        switch kind {
        case .full:
            action = .full(Write.Content(scope: try rows.scope(row.blob(first + 8)), fields: fields))
        case .partial: action = .partial(of: try rows.stamp(row, from: first + 6, lives), fields)
        case .count:
            let content = Write.Content(scope: try rows.scope(row.blob(first + 8)), fields: fields)
            action = .count(begun: try rows.stamp(row, from: first + 6, lives), content)
        case .deletion: preconditionFailure("a deletion was read above")
        }
        return Write(dot: dot, identity: identity, name: name, stamp: stamp, action: action)
    }

    /// Adds a write to the record of this number; returns its place in the order of arrival.
    func insert(
        _ write: Write, into record: Int64, _ lives: inout LifeNumbers
    ) throws(StoreFailure) -> Arrival {
        let columns = try ActionColumns(write.action) { (life) throws(StoreFailure) in
            try rows.number(of: life, in: &lives)
        }
        try rows.run(
            """
            INSERT INTO writes
                (record, life, sequence, place, time, time_life, action, base, base_life, scope, fields)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .integer(record), .integer(try rows.number(of: write.dot.origin.life, in: &lives)),
            .integer(write.dot.sequence), .integer(Int64(write.dot.place)), .integer(write.stamp.time.value),
            .integer(try rows.number(of: write.stamp.life, in: &lives)), columns.action, columns.base,
            columns.baseLife, columns.scope, columns.fields)
        return Arrival(value: UInt64(bitPattern: rows.connection.lastInserted))
    }

    /// Replaces the content of a write, because some of its fields were overwritten, or it was cleared.
    func update(
        _ write: Write, at arrival: Arrival, _ lives: inout LifeNumbers
    ) throws(StoreFailure) {
        let columns = try ActionColumns(write.action) { (life) throws(StoreFailure) in
            try rows.number(of: life, in: &lives)
        }
        try rows.run(
            "UPDATE writes SET action = ?, base = ?, base_life = ?, scope = ?, fields = ? WHERE arrival = ?",
            columns.action, columns.base, columns.baseLife, columns.scope, columns.fields,
            .integer(arrival.value))
    }

    func remove(at arrival: Arrival) throws(StoreFailure) {
        try rows.run("DELETE FROM writes WHERE arrival = ?", .integer(arrival.value))
    }

    /// Whether a write with this dot is here.
    func holds(_ dot: Dot, _ lives: LifeNumbers) throws(StoreFailure) -> Bool {
        guard let life = lives.number(of: dot.origin.life) else { return false }
        let query = "SELECT 1 FROM writes WHERE life = ? AND sequence = ? AND place = ?"
        let values: [SQLiteValue] = [.integer(life), .integer(dot.sequence), .integer(Int64(dot.place))]
        return try rows.statement(query).first(values) { (_) throws(StoreFailure) in true } ?? false
    }

    // MARK: The order of arrival

    /// Reads the last place that was given out, also to a write that is gone.
    func head() throws(StoreFailure) -> Arrival {
        // AUTOINCREMENT also remembers there the rows that were deleted since.
        let value = try rows.statement("SELECT seq FROM sqlite_sequence WHERE name = 'writes'")
            .first([]) { (row) throws(StoreFailure) in row.unsigned(0) }
        return Arrival(value: value ?? 0)
    }

    /// A row of `writes` whose write is not decoded yet.
    struct Entry {
        let place: Arrival
        let origin: Origin
        let sequence: UInt64
        let kind: RecordKind
    }

    /// Visits the writes behind a place in the order of arrival, until the closure returns false; it may decode each.
    func visit(
        after place: Arrival, _ lives: LifeNumbers,
        _ body: (Entry, _ decode: () throws(StoreFailure) -> Write) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        let query = """
            SELECT arrival, \(Self.columns), kind, hash, name FROM writes JOIN records ON records.number = record
            WHERE arrival > ? ORDER BY arrival
            """
        try rows.statement(query).rows([.integer(place.value)]) { (row) throws(StoreFailure) in
            let entry = Entry(
                place: Arrival(value: row.unsigned(0)), origin: try rows.origin(row.integer(1), lives),
                sequence: row.unsigned(2), kind: RecordKind(rawValue: row.unsigned(11)))
            return try body(entry) { () throws(StoreFailure) in try write(row, lives) }
        }
    }

    /// Returns the writes of a kind behind a place, in the order of arrival.
    func writes(
        of kind: RecordKind, after place: Arrival, _ lives: LifeNumbers
    ) throws(StoreFailure) -> [(place: Arrival, write: Write)] {
        var writes: [(Arrival, Write)] = []
        let query = """
            SELECT arrival, \(Self.columns), kind, hash, name FROM records JOIN writes ON record = number
            WHERE kind = ? AND arrival > ? ORDER BY arrival
            """
        try rows.statement(query).rows([.integer(kind.rawValue), .integer(place.value)]) {
            (row) throws(StoreFailure) in
            writes.append((Arrival(value: row.unsigned(0)), try write(row, lives)))
            return true
        }
        return writes
    }

    /// Returns the write of a row of the two queries above.
    private func write(_ row: borrowing Row, _ lives: LifeNumbers) throws(StoreFailure) -> Write {
        try write(
            row, from: 1, identity: try rows.identity(row, from: 11),
            name: row.isNull(13) ? nil : row.blob(13), lives)
    }

    /// Returns the last place behind this one up to which all writes are claimed, looking at most at this many.
    ///
    /// The last places that were given out, up to the head, may belong to writes that are gone.
    func settled(
        by complete: VersionVector, after start: Arrival, upTo head: Arrival, most: Int, _ lives: LifeNumbers
    ) throws(StoreFailure) -> Arrival {
        var (place, count, isAllClaimed) = (start, 0, true)
        try rows.statement(
            "SELECT arrival, life, sequence FROM writes WHERE arrival > ? ORDER BY arrival LIMIT ?"
        )
        .rows([.integer(start.value), .integer(Int64(most))]) { (row) throws(StoreFailure) in
            let origin = try rows.origin(row.integer(1), lives)
            isAllClaimed = complete[origin] >= row.unsigned(2)
            place = Arrival(value: row.unsigned(0) - (isAllClaimed ? 0 : 1))
            count += 1
            return isAllClaimed
        }
        return isAllClaimed && count < most ? head : place
    }

    /// Whether there are writes behind a place.
    func hasWrites(after place: Arrival) throws(StoreFailure) -> Bool {
        try rows.statement("SELECT 1 FROM writes WHERE arrival > ? LIMIT 1")
            .first([.integer(place.value)]) { (_) throws(StoreFailure) in true } ?? false
    }

    /// Returns the number of writes in the table.
    func count() throws(StoreFailure) -> Int {
        try rows.statement("SELECT count(*) FROM writes").first([]) { (row) in Int(row.integer(0)) } ?? 0
    }

    // MARK: Scopes

    /// A place in the order of scopes and arrival.
    typealias ScopePlace = (scope: [UInt8], arrival: Int64)

    /// Returns the numbers of records with writes in a scope, a number for each write, and the place of the last
    /// write if there may be more.
    func records(
        in scope: Scope, after: ScopePlace, most: Int
    ) throws(StoreFailure) -> (numbers: [Int64], last: ScopePlace?) {
        var (numbers, last): ([Int64], ScopePlace?) = ([], nil)
        let query = """
            SELECT record, scope, arrival FROM writes WHERE (scope, arrival) > (?, ?) AND scope < ?
            ORDER BY scope, arrival LIMIT ?
            """
        let values: [SQLiteValue] = [
            .blob(after.scope), .integer(after.arrival), .blob(Self.end(of: scope)), .integer(Int64(most)),
        ]
        try rows.statement(query).rows(values) { (row) throws(StoreFailure) in
            numbers.append(row.integer(0))
            if numbers.count == most { last = (row.blob(1), row.integer(2)) }
            return true
        }
        return (numbers, last)
    }

    /// Counts the writes in a scope behind a place, at most this many.
    func count(in scope: Scope, after: ScopePlace, most: Int) throws(StoreFailure) -> Int {
        let query = """
            SELECT count(*) FROM
                (SELECT 1 FROM writes WHERE (scope, arrival) > (?, ?) AND scope < ? LIMIT ?)
            """
        let values: [SQLiteValue] = [
            .blob(after.scope), .integer(after.arrival), .blob(Self.end(of: scope)), .integer(Int64(most)),
        ]
        return try rows.statement(query).first(values) { (row) in Int(row.integer(0)) } ?? 0
    }

    /// Visits scopes and the stamps with which something there began at a time that no clock shows, until the closure
    /// returns false.
    func visitUnbelieved(
        in scope: Scope, _ lives: LifeNumbers, _ body: (Scope, _ begun: Stamp) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        // Only full writes and counts have a scope, and of these only counts have a base.
        let query = """
            SELECT scope, coalesce(base, time) AS begun, coalesce(base_life, time_life) FROM writes
            WHERE scope >= ? AND scope < ? AND begun > ?
            """
        let values: [SQLiteValue] = [
            .blob(scope.encoded), .blob(Self.end(of: scope)), .integer(HybridTime.largestBelieved.value),
        ]
        try rows.statement(query).rows(values) { (row) throws(StoreFailure) in
            try body(try rows.scope(row.blob(0)), try rows.stamp(row, from: 1, lives))
        }
    }

    /// Returns the first bytes behind everything within a scope.
    ///
    /// Each part of a scope is a text, whose first byte gives its length and is never 0xff.
    static func end(of scope: Scope) -> [UInt8] { scope.encoded + [0xff] }

    // MARK: Deletions

    /// Returns the numbers of records with a deletion of this origin, up to a sequence, that is later than a time.
    func deletions(
        of origin: Origin, to sequence: UInt64, after time: HybridTime?, most: Int, _ lives: LifeNumbers
    ) throws(StoreFailure) -> [Int64] {
        guard let life = lives.number(of: origin.life) else { return [] }
        var numbers: [Int64] = []
        let query = """
            SELECT record FROM writes INDEXED BY writes_by_deletion
            WHERE action = 1 AND life = ? AND sequence <= ? AND time > ? AND time <= ?
            ORDER BY sequence LIMIT ?
            """
        let values: [SQLiteValue] = [
            .integer(life), .integer(sequence), .integer(time.map { Int64($0.value) } ?? -1),
            .integer(HybridTime.largestBelieved.value), .integer(Int64(most)),
        ]
        try rows.statement(query).rows(values) { (row) throws(StoreFailure) in
            numbers.append(row.integer(0))
            return true
        }
        return numbers
    }
}

/// The columns that describe the effect of a write.
private struct ActionColumns {
    let action: SQLiteValue
    var base = SQLiteValue.null
    var baseLife = SQLiteValue.null
    var scope = SQLiteValue.null
    var fields = SQLiteValue.null

    init(_ action: Write.Action, number: (Life) throws(StoreFailure) -> Int64) throws(StoreFailure) {
        switch action {
        case .full(let content):
            self.action = .integer(StoredAction.full.rawValue)
            (scope, fields) = (.blob(content.scope.encoded), .blob(content.fields.encoded))
        case .deletion:
            self.action = .integer(StoredAction.deletion.rawValue)
        case .partial(let base, let fields):
            self.action = .integer(StoredAction.partial.rawValue)
            (self.base, baseLife) = (.integer(base.time.value), .integer(try number(base.life)))
            self.fields = .blob(fields.encoded)
        case .count(let begun, let content):
            self.action = .integer(StoredAction.count.rawValue)
            (base, baseLife) = (.integer(begun.time.value), .integer(try number(begun.life)))
            (scope, fields) = (.blob(content.scope.encoded), .blob(content.fields.encoded))
        }
    }
}

/// The values of the column `action`.
private enum StoredAction: Int64 {
    case full = 0
    case deletion = 1
    case partial = 2
    case count = 3
}
