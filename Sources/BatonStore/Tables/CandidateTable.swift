import BatonCore

/// The rows from which a query takes the items that may meet it.
struct CandidateTable {
    let rows: LaneRows

    /// Returns the next records that have the words of an FTS5 expression.
    func records(withWords expression: String, after number: Int64, most: Int) throws(StoreFailure) -> [Int64]
    {
        let query = "SELECT rowid FROM search WHERE search MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?"
        return try rows.numbers(query, [.text(expression), .integer(number), .integer(Int64(most))])
    }

    /// Returns the first scope of a record that does not stand before these bytes; nil if it stands at the end or behind it.
    func scope(from bytes: [UInt8], before end: [UInt8]) throws(StoreFailure) -> [UInt8]? {
        try rows.statement("SELECT scope FROM records WHERE scope >= ? AND scope < ? ORDER BY scope LIMIT 1")
            .first([.blob(bytes), .blob(end)]) { (row) in row.blob(0) }
    }

    /// Returns the records with a scope, in order; of many, the first.
    func records(in scope: [UInt8], most: Int) throws(StoreFailure) -> [Int64] {
        try rows.numbers(
            "SELECT number FROM records WHERE scope = ? ORDER BY number LIMIT ?",
            [.blob(scope), .integer(Int64(most))])
    }

    /// Returns the records that have the words of an FTS5 expression and arrived last, within a scope if there is one.
    func newest(
        withWords expression: String, in scope: Scope? = nil, most: Int
    ) throws(StoreFailure) -> [Int64] {
        let inScope = """
            AND EXISTS (SELECT 1 FROM records WHERE number = search.rowid AND scope >= ? AND scope < ?)
            """
        let bounds: [SQLiteValue] = scope.map { [.blob($0.encoded), .blob(WriteTable.end(of: $0))] } ?? []
        return try rows.numbers(
            """
            SELECT rowid FROM search WHERE search MATCH ? \(scope == nil ? "" : inScope) ORDER BY rowid DESC LIMIT ?
            """, [.text(expression)] + bounds + [.integer(Int64(most))])
    }

    /// Visits the next records that have a scope, behind a place and before these bytes, in the order of scopes and
    /// numbers, until the closure returns false.
    func visitScopes(
        after place: WriteTable.ScopePlace, before end: [UInt8], most: Int,
        _ body: (_ scope: [UInt8], _ number: Int64) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        // SQLite would walk through all of the scope for a comparison of both columns at once.
        let rest = "SELECT scope, number FROM records WHERE scope = ? AND number > ? ORDER BY number LIMIT ?"
        let further = """
            SELECT scope, number FROM records WHERE scope > ? AND scope < ? ORDER BY scope, number LIMIT ?
            """
        let steps: [(query: String, bound: SQLiteValue)] = [
            (rest, .integer(place.record)), (further, .blob(end)),
        ]
        var left = most
        for (query, bound) in steps where left > 0 {
            let values: [SQLiteValue] = [.blob(place.scope), bound, .integer(Int64(left))]
            try rows.statement(query).rows(values) { (row) throws(StoreFailure) in
                left = try body(row.blob(0), row.integer(1)) ? left - 1 : 0
                return left > 0
            }
        }
    }

    /// Returns the scope of a record, encoded; nil if it has none, as a deleted record.
    func scope(of number: Int64) throws(StoreFailure) -> [UInt8]? {
        try rows.statement("SELECT scope FROM records WHERE number = ? AND scope IS NOT NULL")
            .first([.integer(number)]) { (row) in row.blob(0) }
    }
}
