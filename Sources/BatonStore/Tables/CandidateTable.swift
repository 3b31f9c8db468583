import BatonCore

/// The rows from which a query takes the items that may meet it.
struct CandidateTable {
    let rows: LaneRows

    /// Returns the next records that have the words of an FTS5 expression.
    func records(withWords expression: String, after number: Int64, most: Int) throws(StoreFailure) -> [Int64]
    {
        let query = "SELECT rowid FROM search WHERE search MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?"
        return try numbers(query, [.text(expression), .integer(number), .integer(Int64(most))])
    }

    /// Returns the next scope that has records, behind these bytes and before others.
    func scope(after bytes: [UInt8], before end: [UInt8]) throws(StoreFailure) -> Scope? {
        let query = "SELECT scope FROM records WHERE scope > ? AND scope < ? ORDER BY scope LIMIT 1"
        return try rows.statement(query).first([.blob(bytes), .blob(end)]) { (row) throws(StoreFailure) in
            try rows.scope(row.blob(0))
        }
    }

    /// Returns the next records with exactly this scope.
    func records(of scope: Scope, after number: Int64, most: Int) throws(StoreFailure) -> [Int64] {
        let query = "SELECT number FROM records WHERE scope = ? AND number > ? ORDER BY number LIMIT ?"
        return try numbers(query, [.blob(scope.encoded), .integer(number), .integer(Int64(most))])
    }

    /// Returns the scope of a record; nil if it has none, as a deleted record.
    func scope(of number: Int64) throws(StoreFailure) -> Scope? {
        try rows.statement("SELECT scope FROM records WHERE number = ? AND scope IS NOT NULL")
            .first([.integer(number)]) { (row) throws(StoreFailure) in try rows.scope(row.blob(0)) }
    }

    /// Whether a batch has ended and is not merged yet.
    func isMerging() throws(StoreFailure) -> Bool {
        try rows.statement("SELECT EXISTS (SELECT 1 FROM batches WHERE life IS NOT NULL)").first([]) {
            (row) throws(StoreFailure) in row.integer(0) != 0
        } ?? false
    }

    private func numbers(_ query: String, _ values: [SQLiteValue]) throws(StoreFailure) -> [Int64] {
        var numbers: [Int64] = []
        try rows.statement(query).rows(values) { (row) throws(StoreFailure) in
            numbers.append(row.integer(0))
            return true
        }
        return numbers
    }
}
