import BatonCore

/// The rows of the tables `batches` and `staged`.
///
/// `batches` has the batches of apps that are staged piece by piece, and `staged` has their drafts.
struct BatchTable {
    let rows: LaneRows

    // MARK: Batches

    /// Whether a batch has ended but is not merged completely, or changes of word counts wait (`WordChangeTable`).
    func isMerging() throws(StoreFailure) -> Bool {
        let query = """
            SELECT EXISTS (SELECT 1 FROM batches WHERE life IS NOT NULL) OR EXISTS (SELECT 1 FROM word_changes)
            """
        return try rows.statement(query).first([]) { (row) in row.integer(0) != 0 } ?? false
    }

    /// Whether a batch has ended but is not merged completely.
    func hasPending() throws(StoreFailure) -> Bool {
        try rows.statement("SELECT EXISTS (SELECT 1 FROM batches WHERE life IS NOT NULL)").first([]) {
            (row) in row.integer(0) != 0
        } ?? false
    }

    /// Adds the row of a new batch.
    func insert(_ batch: BatchIdentifier) throws(StoreFailure) -> OpenBatch {
        let last = try rows.statement("SELECT coalesce(max(number), 0) FROM batches").first([]) {
            (row) throws(StoreFailure) in row.integer(0)
        }
        let number = (last ?? 0) + 1
        try rows.run(
            "INSERT INTO batches (number, identifier, count, items, bytes) VALUES (?, ?, 0, 0, 0)",
            .integer(number), .integer(Int64(bitPattern: batch.value)))
        return OpenBatch(number: number)
    }

    /// Stores how many drafts of an open batch are staged, and how much they write.
    func update(_ open: OpenBatch) throws(StoreFailure) {
        try rows.run(
            "UPDATE batches SET count = ?, items = ?, bytes = ? WHERE number = ?",
            .integer(Int64(open.count)), .integer(Int64(open.written.items)),
            .integer(Int64(open.written.bytes)), .integer(open.number))
    }

    /// Stores that a batch has ended, and the dot and the stamp of its first write.
    func end(_ open: OpenBatch, as batch: StagedBatch) throws(StoreFailure) {
        try rows.run(
            "UPDATE batches SET life = ?, sequence = ?, time = ? WHERE number = ?",
            .integer(try rows.number(of: batch.stamp.life)), .integer(batch.first.sequence),
            .integer(batch.stamp.time.value), .integer(open.number))
    }

    /// Stores how many drafts of a batch that has ended are merged.
    func update(_ pending: PendingBatch) throws(StoreFailure) {
        try rows.run(
            "UPDATE batches SET merged = ? WHERE number = ?", .integer(Int64(pending.merged)),
            .integer(pending.number))
    }

    func remove(_ number: Int64) throws(StoreFailure) {
        try rows.run("DELETE FROM batches WHERE number = ?", .integer(number))
    }

    /// Reads the batches that have ended but are not merged completely (`pending`).
    ///
    /// `discarded` has the numbers of the batches that were still open when the store was closed.
    func load() throws(StoreFailure) -> (pending: [PendingBatch], discarded: [Int64]) {
        var (pending, discarded): ([PendingBatch], [Int64]) = ([], [])
        let query = "SELECT \(Self.columns) FROM batches ORDER BY time"
        try rows.statement(query).rows([]) { (row) throws(StoreFailure) in
            if row.isNull(4) {
                discarded.append(row.integer(0))
            } else {
                pending.append(try pendingBatch(row))
            }
            return true
        }
        return (pending, discarded)
    }

    /// The columns that `pendingBatch(_:)` reads.
    static let columns = "number, identifier, count, merged, life, sequence, time, items, bytes"

    /// Returns the batch in a row; the batch must have ended.
    func pendingBatch(_ row: borrowing Row) throws(StoreFailure) -> PendingBatch {
        let life = try rows.life(row.integer(4))
        let batch = StagedBatch(
            BatchIdentifier(value: UInt64(bitPattern: row.integer(1))), count: Int(row.integer(2)),
            first: Dot(origin: Origin(life: life, lane: rows.lane), sequence: row.unsigned(5)),
            stamp: Stamp(time: HybridTime(value: row.unsigned(6)), life: life))
        return PendingBatch(
            number: row.integer(0), batch: batch, merged: Int(row.integer(3)),
            written: AppUsage.Amount(items: Int(row.integer(7)), bytes: Int(row.integer(8))))
    }

    // MARK: Drafts

    /// Whether a staged draft changes a record.
    func changes(_ identity: RecordIdentity) throws(StoreFailure) -> Bool {
        try rows.statement("SELECT EXISTS (SELECT 1 FROM staged WHERE kind = ? AND hash = ?)").first([
            .integer(identity.kind.rawValue), .blob(identity.hash.bytes),
        ]) { (row) in row.integer(0) != 0 } ?? false
    }

    /// Adds an encoded draft.
    func stage(_ draft: [UInt8], of identity: RecordIdentity, number: Int64) throws(StoreFailure) {
        try rows.run(
            "INSERT INTO staged (number, kind, hash, draft) VALUES (?, ?, ?, ?)", .integer(number),
            .integer(identity.kind.rawValue), .blob(identity.hash.bytes), .blob(draft))
    }

    /// Visits the drafts with these numbers, or only the clears among them.
    ///
    /// The closure is given each draft and its place in the batch.
    func visit(
        _ numbers: Range<Int64>, onlyClears: Bool = false,
        _ body: (_ place: Int, Journal.Draft) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        let query = """
            SELECT number, draft FROM staged WHERE number >= ? AND number < ?
            \(onlyClears ? "AND kind <= 1" : "") ORDER BY number
            """
        try rows.statement(query).rows([.integer(numbers.lowerBound), .integer(numbers.upperBound)]) {
            (row) throws(StoreFailure) in
            try body(StagedNumber.place(row.integer(0)), try draft(row.blob(1)))
            return true
        }
    }

    /// Counts the clears among the drafts of a batch.
    func clearCount(of batch: Int64) throws(StoreFailure) -> Int {
        let numbers = StagedNumber.all(of: batch)
        let query = """
            SELECT count(*) FROM staged INDEXED BY staged_clears
            WHERE kind <= 1 AND number >= ? AND number < ?
            """
        return try rows.statement(query)
            .first([.integer(numbers.lowerBound), .integer(numbers.upperBound)]) { (row) in
                Int(row.integer(0))
            } ?? 0
    }

    /// Returns the drafts with these numbers, or only the clears among them, and the place of each draft in the batch.
    func drafts(
        _ numbers: Range<Int64>, onlyClears: Bool = false
    ) throws(StoreFailure) -> [(place: Int, draft: Journal.Draft)] {
        var drafts: [(Int, Journal.Draft)] = []
        try visit(numbers, onlyClears: onlyClears) { drafts.append(($0, $1)) }
        return drafts
    }

    /// Returns the first drafts with these numbers, and the place of each draft in the batch.
    ///
    /// It returns about `most` bytes of drafts, but at least one draft. `isCut` is true if more drafts are left.
    func drafts(
        _ numbers: Range<Int64>, bytes most: Int
    ) throws(StoreFailure) -> (drafts: [(place: Int, draft: Journal.Draft)], isCut: Bool) {
        var (drafts, bytes, isCut) = ([(place: Int, draft: Journal.Draft)](), 0, false)
        let query = "SELECT number, draft FROM staged WHERE number >= ? AND number < ? ORDER BY number"
        try rows.statement(query).rows([.integer(numbers.lowerBound), .integer(numbers.upperBound)]) {
            (row) throws(StoreFailure) in
            isCut = bytes > most
            guard !isCut else { return false }
            let encoded = row.blob(1)
            bytes += encoded.count
            drafts.append((StagedNumber.place(row.integer(0)), try draft(encoded)))
            return true
        }
        return (drafts, isCut)
    }

    /// Returns the unmerged drafts of one record in a batch.
    func drafts(
        of identity: RecordIdentity, in pending: PendingBatch
    ) throws(StoreFailure) -> [(number: Int64, draft: Journal.Draft)] {
        var drafts: [(Int64, Journal.Draft)] = []
        let query = """
            SELECT number, draft FROM staged WHERE hash = ? AND kind = ? AND number >= ? AND number < ?
            ORDER BY number
            """
        let values: [SQLiteValue] = [
            .blob(identity.hash.bytes), .integer(identity.kind.rawValue),
            .integer(pending.staged.lowerBound), .integer(pending.staged.upperBound),
        ]
        try rows.statement(query).rows(values) { (row) throws(StoreFailure) in
            drafts.append((row.integer(0), try draft(row.blob(1))))
            return true
        }
        return drafts
    }

    /// Returns the records that the drafts with these numbers change.
    func identities(_ numbers: Range<Int64>) throws(StoreFailure) -> Set<RecordIdentity> {
        var identities: Set<RecordIdentity> = []
        try rows.statement("SELECT DISTINCT kind, hash FROM staged WHERE number >= ? AND number < ?")
            .rows([.integer(numbers.lowerBound), .integer(numbers.upperBound)]) {
                (row) throws(StoreFailure) in
                identities.insert(try rows.identity(row, from: 0))
                return true
            }
        return identities
    }

    /// Removes the drafts with these numbers.
    func remove(_ numbers: Range<Int64>) throws(StoreFailure) {
        try rows.run(
            "DELETE FROM staged WHERE number >= ? AND number < ?", .integer(numbers.lowerBound),
            .integer(numbers.upperBound))
    }

    /// Removes at most `most` of the drafts with these numbers.
    ///
    /// Returns false if more drafts may be left.
    func remove(_ numbers: Range<Int64>, most: Int) throws(StoreFailure) -> Bool {
        try rows.run(
            """
            DELETE FROM staged WHERE number IN
                (SELECT number FROM staged WHERE number >= ? AND number < ? LIMIT ?)
            """, .integer(numbers.lowerBound), .integer(numbers.upperBound), .integer(Int64(most)))
        return rows.connection.lastChangeCount < most
    }

    /// Decodes a draft.
    func draft(_ bytes: [UInt8]) throws(StoreFailure) -> Journal.Draft {
        do {
            return try Journal.Draft(encoded: bytes)
        } catch {
            throw rows.damaged(error)
        }
    }
}

/// A batch that has not ended.
struct OpenBatch: Equatable {
    /// The number of its row.
    let number: Int64
    /// The number of staged drafts.
    var count = 0
    /// The number of drafts that write an item in full, and the bytes of these drafts.
    var written = AppUsage.Amount()
    /// The drafts that move items to other domains.
    var moves: [BatchMove] = []

    /// The number that the next draft gets (`StagedNumber`).
    var nextDraft: Int64 { StagedNumber.all(of: number).lowerBound + Int64(count) }
}

/// A draft of a batch that moves an item to another domain.
struct BatchMove: Equatable {
    let place: Int
    let item: RecordIdentity
    let scope: Scope
}

/// A batch that has ended and is not merged completely.
struct PendingBatch: Equatable {
    /// The number of its row.
    let number: Int64
    let batch: StagedBatch
    /// The number of merged drafts.
    ///
    /// Drafts are merged in their order.
    var merged: Int
    /// The number of drafts that write an item in full, and the bytes of these drafts.
    ///
    /// Drafts that are merged already count, too.
    let written: AppUsage.Amount
    /// The drafts that move items to other domains; nil until they have been looked up.
    var moves: [BatchMove]?

    /// The numbers of the drafts that are not merged yet (`StagedNumber`).
    var staged: Range<Int64> { StagedNumber.range(number, merged..<batch.count) }
}

/// The number of a staged draft.
///
/// The high 32 bits are the number of its batch, and the low 32 bits are its place in the batch.
enum StagedNumber {
    static func range(_ batch: Int64, _ places: Range<Int>) -> Range<Int64> {
        batch << 32 + Int64(places.lowerBound)..<batch << 32 + Int64(places.upperBound)
    }

    /// Returns all numbers that drafts of a batch can have.
    static func all(of batch: Int64) -> Range<Int64> { batch << 32..<(batch + 1) << 32 }

    /// Returns the place of a draft in its batch.
    static func place(_ number: Int64) -> Int { Int(number & 0xffff_ffff) }
}
