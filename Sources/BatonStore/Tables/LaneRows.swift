import BatonCore

/// The rows of one lane: the connection that reads and writes them, and the meaning of their columns.
///
/// Almost every row names a life by its number, so reading a row may look a life up, and writing one may give a life a
/// number.
struct LaneRows {
    let lane: Lane
    let path: String
    let connection: Connection
    /// Lives whose numbers need not be looked up.
    let lives = LifeNumbers()

    /// Returns the prepared statement of this text.
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

    /// Returns the number of a life, and gives the life one if it has none.
    func number(of life: Life) throws(StoreFailure) -> Int64 {
        if let number = try knownNumber(of: life) { return number }
        try run("INSERT INTO lives (life) VALUES (?)", .blob(life.bytes))
        lives.recordLife(life, number: connection.lastInserted)
        return connection.lastInserted
    }

    /// Returns the number of a life; nil if it has none.
    func knownNumber(of life: Life) throws(StoreFailure) -> Int64? {
        if let number = lives.number(of: life) { return number }
        let number = try statement("SELECT number FROM lives WHERE life = ?").first([.blob(life.bytes)]) {
            (row) in row.integer(0)
        }
        if let number { lives.recordLife(life, number: number) }
        return number
    }

    /// Gives a life the number that it had in another database.
    func insert(_ life: Life, number: Int64) throws(StoreFailure) {
        try run("INSERT INTO lives (number, life) VALUES (?, ?)", .integer(number), .blob(life.bytes))
    }

    // MARK: Columns

    /// Returns the life of a number.
    func life(_ number: Int64) throws(StoreFailure) -> Life {
        if let life = lives.life(number) { return life }
        let found = try statement("SELECT life FROM lives WHERE number = ?").first([.integer(number)]) {
            (row) in Life(bytes: row.blob(0))
        }
        guard let found, let life = found else { throw damaged(.outOfRange) }
        lives.recordLife(life, number: number)
        return life
    }

    /// Returns the origin that the number of a life names in this lane.
    func origin(_ number: Int64) throws(StoreFailure) -> Origin {
        Origin(life: try life(number), lane: lane)
    }

    /// Returns the version vector in the rows of a query, each of which has the number of a life and a sequence.
    func vector(_ query: String, _ values: [SQLiteValue] = []) throws(StoreFailure) -> VersionVector {
        var pairs: [(Origin, UInt64)] = []
        try statement(query).rows(values) { (row) throws(StoreFailure) in
            pairs.append((try origin(row.integer(0)), row.unsigned(1)))
            return true
        }
        return VersionVector(pairs)
    }

    /// Returns the dot in three columns: life, sequence and place.
    func dot(
        _ row: borrowing Row, from first: Int32
    ) throws(StoreFailure) -> Dot {
        Dot(
            origin: try origin(row.integer(first)), sequence: row.unsigned(first + 1),
            place: UInt32(truncatingIfNeeded: row.integer(first + 2)))
    }

    /// Returns the stamp in two columns: time and life.
    func stamp(
        _ row: borrowing Row, from first: Int32
    ) throws(StoreFailure) -> Stamp {
        Stamp(time: HybridTime(value: row.unsigned(first)), life: try life(row.integer(first + 1)))
    }

    /// Returns the identity in two columns: kind and hash.
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

    /// Decodes all bytes of a column.
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

    /// Records damage, and returns its failure: a row holds what this program never writes.
    func damaged(_ reason: CBORError.Reason) -> StoreFailure { damaged(CBORError(reason, at: 0)) }

    /// Records damage in a table of words, and returns its failure: the table holds what this program never writes.
    func damagedWords() -> StoreFailure {
        var failure = damaged(.outOfRange)
        failure.damage?.isOfWords = true
        return failure
    }

    /// Records damage, and returns its failure: a row can't be decoded, for this reason.
    func damaged(_ reason: CBORError) -> StoreFailure {
        connection.hasSeenDamage = true
        var failure = StoreFailure(damaged: reason, in: path)
        failure.damage = StoreDamage(lane: lane)
        return failure
    }
}

/// A cache of the lives that were read or written last, with their numbers in this database.
///
/// A peer can write under any number of lives, so the cache is limited. When a transaction is rolled back, the whole
/// cache is emptied, because a number that the transaction gave out may go to another life.
final class LifeNumbers {
    private var numbers: [Life: Int64] = [:]
    private var lives: [Int64: Life] = [:]

    /// The most lives in the cache: those of a dozen machines that are started each day for a year.
    private static let most = 4096

    func recordLife(_ life: Life, number: Int64) {
        if numbers.count >= Self.most { forget() }
        numbers[life] = number
        lives[number] = life
    }

    /// Empties the cache, so that all lives are looked up in the database.
    func forget() {
        numbers.removeAll(keepingCapacity: true)
        lives.removeAll(keepingCapacity: true)
    }

    func number(of life: Life) -> Int64? { numbers[life] }

    func life(_ number: Int64) -> Life? { lives[number] }
}
