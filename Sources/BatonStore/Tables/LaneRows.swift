import BatonCore

/// Reads and writes the rows of one lane.
///
/// It has the connection to the database, and encodes and decodes columns.
///
/// Most rows refer to a life by a number. So reading a row may look up a life, and writing a row may add a life to the
/// table `lives`.
struct LaneRows {
    let lane: Lane
    let path: String
    let connection: Connection
    /// A cache of the numbers of lives.
    let lives = LifeNumbers()

    /// Returns the prepared statement for this SQL text.
    func statement(_ text: String) throws(StoreFailure) -> Statement { try connection.statement(text) }

    /// Returns the numbers in the first column of a query.
    func numbers(_ query: String, _ values: [SQLiteValue]) throws(StoreFailure) -> [Int64] {
        var numbers: [Int64] = []
        try statement(query).rows(values) { (row) throws(StoreFailure) in
            numbers.append(row.integer(0))
            return true
        }
        return numbers
    }

    /// Runs a statement that returns no rows.
    func run(_ text: String, _ values: SQLiteValue...) throws(StoreFailure) {
        try connection.statement(text).run(values)
    }

    /// Deletes all rows of a table.
    func removeAll(from table: String) throws(StoreFailure) { try run("DELETE FROM \(table)") }

    // MARK: Lives

    /// Returns the number of a life.
    ///
    /// A life without a number is given one.
    func number(of life: Life) throws(StoreFailure) -> Int64 {
        if let number = try knownNumber(of: life) { return number }
        try run("INSERT INTO lives (life) VALUES (?)", .blob(life.bytes))
        lives.recordLife(life, number: connection.lastInserted)
        return connection.lastInserted
    }

    /// Returns the number of a life; nil if the life has no number yet.
    func knownNumber(of life: Life) throws(StoreFailure) -> Int64? {
        if let number = lives.number(of: life) { return number }
        let number = try statement("SELECT number FROM lives WHERE life = ?").first([.blob(life.bytes)]) {
            (row) in row.integer(0)
        }
        if let number { lives.recordLife(life, number: number) }
        return number
    }

    /// Adds a life with the number that it has in another database.
    func insert(_ life: Life, number: Int64) throws(StoreFailure) {
        try run("INSERT INTO lives (number, life) VALUES (?, ?)", .integer(number), .blob(life.bytes))
    }

    // MARK: Columns

    /// Returns the life with this number.
    func life(_ number: Int64) throws(StoreFailure) -> Life {
        if let life = lives.life(number) { return life }
        let found = try statement("SELECT life FROM lives WHERE number = ?").first([.integer(number)]) {
            (row) in Life(bytes: row.blob(0))
        }
        guard let found, let life = found else { throw damaged(.outOfRange) }
        lives.recordLife(life, number: number)
        return life
    }

    /// Returns the origin in this lane of the life with this number.
    func origin(_ number: Int64) throws(StoreFailure) -> Origin {
        Origin(life: try life(number), lane: lane)
    }

    /// Returns the version vector in the rows of a query.
    ///
    /// Each row has the number of a life and a sequence.
    func vector(_ query: String, _ values: [SQLiteValue] = []) throws(StoreFailure) -> VersionVector {
        var pairs: [(Origin, UInt64)] = []
        try statement(query).rows(values) { (row) throws(StoreFailure) in
            pairs.append((try origin(row.integer(0)), row.unsigned(1)))
            return true
        }
        return VersionVector(pairs)
    }

    /// Returns the dot in three columns, from `first` on: life, sequence and place.
    func dot(
        _ row: borrowing Row, from first: Int32
    ) throws(StoreFailure) -> Dot {
        Dot(
            origin: try origin(row.integer(first)), sequence: row.unsigned(first + 1),
            place: UInt32(truncatingIfNeeded: row.integer(first + 2)))
    }

    /// Returns the stamp in two columns, from `first` on: time and life.
    func stamp(
        _ row: borrowing Row, from first: Int32
    ) throws(StoreFailure) -> Stamp {
        Stamp(time: HybridTime(value: row.unsigned(first)), life: try life(row.integer(first + 1)))
    }

    /// Returns the identity in two columns, from `first` on: kind and hash.
    func identity(_ row: borrowing Row, from first: Int32) throws(StoreFailure) -> RecordIdentity {
        let kind = RecordKind(rawValue: row.unsigned(first))
        guard let hash = KeyHash(bytes: row.blob(first + 1)), kind.lane == lane else {
            throw damaged(.outOfRange)
        }
        return RecordIdentity(kind: kind, hash: hash)
    }

    /// Decodes a scope.
    func scope(_ bytes: [UInt8]) throws(StoreFailure) -> Scope {
        do {
            return try Scope(encoded: bytes)
        } catch {
            throw damaged(error)
        }
    }

    /// Decodes the CBOR bytes of a column; it is damage if bytes are left over.
    func decode<Value>(
        _ bytes: [UInt8], _ body: (inout CBORReader) throws(CBORError) -> Value
    ) throws(StoreFailure) -> Value {
        do {
            return try CBORReader.whole(bytes[...], body)
        } catch {
            throw damaged(error)
        }
    }

    // MARK: Damage

    /// Notes that a row has content that this program never writes, and returns the failure to throw.
    func damaged(_ reason: CBORError.Reason) -> StoreFailure { damaged(CBORError(reason, at: 0)) }

    /// Notes that a table of words has content that this program never writes, and returns the failure to throw.
    func damagedWords() -> StoreFailure {
        var failure = damaged(.outOfRange)
        failure.damage?.isOfWords = true
        return failure
    }

    /// Notes that a row can't be decoded for this reason, and returns the failure to throw.
    func damaged(_ reason: CBORError) -> StoreFailure {
        connection.hasSeenDamage = true
        var failure = StoreFailure(damaged: reason, in: path)
        failure.damage = StoreDamage(lane: lane)
        return failure
    }
}

/// A cache of the lives that were read or written last, and of their numbers in this database.
///
/// A peer can write under any number of lives, so the size of the cache is limited. When a transaction is rolled back,
/// the whole cache is emptied, because a later transaction may give another life the same number.
final class LifeNumbers {
    private var numbers: [Life: Int64] = [:]
    private var lives: [Int64: Life] = [:]

    /// The largest number of lives in the cache.
    ///
    /// Eleven machines that are each started daily for a year have about this number of lives.
    private static let most = 4096

    func recordLife(_ life: Life, number: Int64) {
        if numbers.count >= Self.most { forget() }
        numbers[life] = number
        lives[number] = life
    }

    /// Empties the cache.
    ///
    /// From then on, each life is looked up in the database again.
    func forget() {
        numbers.removeAll(keepingCapacity: true)
        lives.removeAll(keepingCapacity: true)
    }

    func number(of life: Life) -> Int64? { numbers[life] }

    func life(_ number: Int64) -> Life? { lives[number] }
}
