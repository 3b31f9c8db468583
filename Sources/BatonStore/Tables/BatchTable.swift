import BatonCore

/// The rows of `batches` and `staged`: batches of apps that are staged piece by piece, and their drafts.
struct BatchTable {
    let rows: LaneRows

    // MARK: Batches

    /// Whether a batch has ended and is not merged yet, or changes of word counts are waiting (`WordChangeTable`).
    func isMerging() throws(StoreFailure) -> Bool {
        let query = """
            SELECT EXISTS (SELECT 1 FROM batches WHERE life IS NOT NULL) OR EXISTS (SELECT 1 FROM word_changes)
            """
        return try rows.statement(query).first([]) { (row) in row.integer(0) != 0 } ?? false
    }

    /// Whether a batch has ended and is not merged completely.
    func hasPending() throws(StoreFailure) -> Bool {
        try rows.statement("SELECT EXISTS (SELECT 1 FROM batches WHERE life IS NOT NULL)").first([]) {
            (row) in row.integer(0) != 0
        } ?? false
    }

    /// Begins a batch.
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

    /// Stores how much is staged of a batch that has not ended.
    func update(_ open: OpenBatch) throws(StoreFailure) {
        try rows.run(
            "UPDATE batches SET count = ?, items = ?, bytes = ? WHERE number = ?",
            .integer(Int64(open.count)), .integer(Int64(open.written.items)),
            .integer(Int64(open.written.bytes)), .integer(open.number))
    }

    /// Ends a batch.
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

    /// Reads the batches that have ended and are not merged, and the numbers of the batches that were still open when
    /// the store was closed.
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

    /// Returns the batch of a row, which has ended.
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

    /// Whether a batch that is not merged yet changes a record.
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

    /// Visits the drafts of these numbers, or only the clears among them, each with its place in the batch.
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

    /// Returns the drafts of these numbers, or only the clears among them, each with its place in the batch.
    func drafts(
        _ numbers: Range<Int64>, onlyClears: Bool = false
    ) throws(StoreFailure) -> [(place: Int, draft: Journal.Draft)] {
        var drafts: [(Int, Journal.Draft)] = []
        try visit(numbers, onlyClears: onlyClears) { drafts.append(($0, $1)) }
        return drafts
    }

    /// Returns the first drafts of these numbers, about `most` bytes of them but at least one draft, each with its
    /// place in the batch; `isCut` says that more are left.
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

    /// Returns the records to which the drafts of these numbers belong.
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

    /// Removes the drafts of these numbers.
    func remove(_ numbers: Range<Int64>) throws(StoreFailure) {
        try rows.run(
            "DELETE FROM staged WHERE number >= ? AND number < ?", .integer(numbers.lowerBound),
            .integer(numbers.upperBound))
    }

    /// Removes at most `most` drafts of these numbers; returns false if more may be left.
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
    /// How many drafts are staged.
    var count = 0
    /// How many of the drafts write an item in full, and the bytes of those drafts.
    var written = AppUsage.Amount()
    /// The drafts that move items to other domains.
    var moves: [BatchMove] = []

    /// The number of the next draft.
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
    /// How many drafts are merged, the first ones first.
    var merged: Int
    /// How many drafts write an item in full, merged or not, and the bytes of those drafts.
    let written: AppUsage.Amount
    /// The drafts that move items to other domains; nil until they have been looked up.
    var moves: [BatchMove]?

    /// The numbers of the drafts that are not merged.
    var staged: Range<Int64> { StagedNumber.range(number, merged..<batch.count) }
}

/// The number of a staged draft: the number of its batch in the high 32 bits, and its place in the batch in the low 32.
enum StagedNumber {
    static func range(_ batch: Int64, _ places: Range<Int>) -> Range<Int64> {
        batch << 32 + Int64(places.lowerBound)..<batch << 32 + Int64(places.upperBound)
    }

    /// Returns all numbers that drafts of a batch can have.
    static func all(of batch: Int64) -> Range<Int64> { batch << 32..<(batch + 1) << 32 }

    /// Returns the place of a draft in its batch.
    static func place(_ number: Int64) -> Int { Int(number & 0xffff_ffff) }
}
