import BatonCore

/// Finds the items that may match a query, in several tables.
struct CandidateTable {
    let rows: LaneRows

    /// Returns the records after `number` whose words match an FTS5 expression, in the order of their numbers.
    func records(withWords expression: String, after number: Int64, most: Int) throws(StoreFailure) -> [Int64]
    {
        let query = "SELECT rowid FROM search WHERE search MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?"
        return try rows.numbers(query, [.text(expression), .integer(number), .integer(Int64(most))])
    }

    /// Returns the first scope, from `bytes` on and before `end`, that a record has; nil if there is none.
    func scope(from bytes: [UInt8], before end: [UInt8]) throws(StoreFailure) -> [UInt8]? {
        try rows.statement("SELECT scope FROM records WHERE scope >= ? AND scope < ? ORDER BY scope LIMIT 1")
            .first([.blob(bytes), .blob(end)]) { (row) in row.blob(0) }
    }

    /// Returns the first `most` records with exactly this scope, in the order of their numbers.
    func records(in scope: [UInt8], most: Int) throws(StoreFailure) -> [Int64] {
        try rows.numbers(
            "SELECT number FROM records WHERE scope = ? ORDER BY number LIMIT ?",
            [.blob(scope), .integer(Int64(most))])
    }

    /// Returns the records with the largest numbers whose words match an FTS5 expression.
    ///
    /// If `scope` is given, only records within that scope are returned.
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

    /// Visits records in the order of their scopes and numbers, from after `place` to before the scope `end`.
    ///
    /// It visits at most `most` records, and stops if the closure returns false.
    func visitScopes(
        after place: WriteTable.ScopePlace, before end: [UInt8], most: Int,
        _ body: (_ scope: [UInt8], _ number: Int64) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        // Two queries are used, because SQLite would read the whole scope if one query compared both columns.
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

    /// Returns the encoded scope of a record; nil if the record has no scope, for example because it was deleted.
    func scope(of number: Int64) throws(StoreFailure) -> [UInt8]? {
        try rows.statement("SELECT scope FROM records WHERE number = ? AND scope IS NOT NULL")
            .first([.integer(number)]) { (row) in row.blob(0) }
    }
}
