import BatonCore

/// The rows of the full-text table, and of the one that says how it was filled.
struct SearchTable {
    let rows: LaneRows

    /// Adds the words of a record.
    func insert(_ text: SearchText, number: Int64) throws(StoreFailure) {
        rows.connection.tally.beginAdding()
        try run(
            "INSERT INTO search (rowid, title, names, keywords, description, body) VALUES (?, ?, ?, ?, ?, ?)",
            number, text)
    }

    /// Removes the words of a record; the table has to be given the same text again.
    func remove(_ text: SearchText, number: Int64) throws(StoreFailure) {
        rows.connection.tally.beginRemoving()
        try run(
            """
            INSERT INTO search (search, rowid, title, names, keywords, description, body)
            VALUES ('delete', ?, ?, ?, ?, ?, ?)
            """, number, text)
    }

    /// Removes all words.
    func removeAll() throws(StoreFailure) {
        try rows.run("INSERT INTO search (search) VALUES ('delete-all')")
    }

    private func run(_ text: String, _ number: Int64, _ words: SearchText) throws(StoreFailure) {
        try rows.statement(text).run(
            [.integer(number)] + words.texts.map { $0.isEmpty ? .null : .text($0) })
    }

    // MARK: How it was filled

    /// Reads by which rules the table was filled, and up to which record; nil for the record if all are in it.
    func progress() throws(StoreFailure) -> (rules: Int64, through: Int64?) {
        let found = try rows.statement("SELECT rules, through FROM search_progress").first([]) {
            (row) throws(StoreFailure) in (row.integer(0), row.isNull(1) ? nil : row.integer(1))
        }
        guard let found else { throw rows.damaged(.outOfRange) }
        return found
    }

    /// Stores up to which record the table is filled by the rules of this program; nil if all are in it.
    func keepProgress(through: Int64?) throws(StoreFailure) {
        try rows.run(
            "UPDATE search_progress SET rules = ?, through = ?", .integer(SearchRules.current),
            through.map { .integer($0) } ?? .null)
    }

    // MARK: Queries

    /// Visits the records that an expression finds, with their scores: those with the largest numbers.
    func visitMatches(
        _ expression: SearchExpression, most: Int, _ body: (Int64, Double) -> Void
    ) throws(StoreFailure) {
        let query = """
            SELECT rowid, text_rank(search) FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ?
            """
        try rows.statement(query).rows([.text(expression.text), .integer(Int64(most))]) { (row) in
            body(row.integer(0), row.real(1))
            return true
        }
    }

    /// Returns how much of the index can be found by its words now.
    func coverage() throws(StoreFailure) -> SearchCoverage {
        let (rules, through) = try progress()
        guard rules == SearchRules.current, through == nil else { return .refilling }
        return try BatchTable(rows: rows).isMerging() ? .merging : .whole
    }
}
