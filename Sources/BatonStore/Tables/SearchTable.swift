import BatonCore

/// The rows of the full-text table `search`, and the row of `search_progress`, which says how `search` was filled.
struct SearchTable {
    let rows: LaneRows

    /// The names of the columns, in the order of `SearchText.columns`.
    static let columns = ["title", "names", "keywords", "description", "body"]

    /// Adds the words of a record.
    func insert(_ text: SearchText, number: Int64) throws(StoreFailure) {
        rows.connection.tally.beginAdding()
        try run(
            "INSERT INTO search (rowid, title, names, keywords, description, body) VALUES (?, ?, ?, ?, ?, ?)",
            number, text)
    }

    /// Removes the words of a record.
    ///
    /// FTS5 needs the same text with which the record was added.
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

    /// Reads the rules by which the table was filled, and the number of the last record in it.
    ///
    /// `through` is nil if the table has all records.
    func progress() throws(StoreFailure) -> (rules: Int64, through: Int64?) {
        let found = try rows.statement("SELECT rules, through FROM search_progress").first([]) {
            (row) throws(StoreFailure) in (row.integer(0), row.isNull(1) ? nil : row.integer(1))
        }
        guard let found else { throw rows.damagedWords() }
        return found
    }

    /// Stores the number of the last record that is in the table; nil if the table has all records.
    ///
    /// It also stores that the table was filled by the rules of this program.
    func keepProgress(through: Int64?) throws(StoreFailure) {
        try rows.run(
            "UPDATE search_progress SET rules = ?, through = ?", .integer(SearchRules.current),
            through.map { .integer($0) } ?? .null)
    }

    // MARK: Rewriting

    /// Reads which kind of removed words FTS5's segments may contain, and whether the segments are being rewritten.
    func erasure() throws(StoreFailure) -> (removed: RemovedWords, isRewriting: Bool) {
        let found = try rows.statement("SELECT removed, is_rewriting FROM search_progress").first([]) {
            (row) throws(StoreFailure) in (RemovedWords(rawValue: Int(row.integer(0))), row.integer(1) != 0)
        }
        guard let (removed, isRewriting) = found, let removed else { throw rows.damagedWords() }
        return (removed, isRewriting)
    }

    /// Stores which kind of removed words FTS5's segments may contain, and whether the segments are being rewritten.
    func keepErasure(_ removed: RemovedWords, isRewriting: Bool) throws(StoreFailure) {
        let values: [Int64] = [Int64(removed.rawValue), isRewriting ? 1 : 0]
        try rows.statement("UPDATE search_progress SET removed = ?, is_rewriting = ?")
            .run(values.map { .integer($0) })
    }

    /// Begins or continues to merge all segments into one.
    ///
    /// Each call writes about `pages` pages.
    ///
    /// A removed word stays in its segment, and a newer segment says that the word was removed. The word is erased once
    /// both segments are merged into the oldest segment.
    func rewrite(pages: Int, begins: Bool) throws(StoreFailure) {
        // See https://sqlite.org/fts5.html#the_merge_command: a negative number puts all segments on one level.
        let most = Int64(begins ? -pages : pages)
        try rows.run("INSERT INTO search (search, rank) VALUES ('merge', ?)", .integer(most))
    }

    /// Whether all segments are still being merged into one.
    func isRewriting() throws(StoreFailure) -> Bool {
        let block = try rows.statement("SELECT block FROM search_data WHERE id = 10").first([]) {
            (row) in row.blob(0)
        }
        guard let block, let segments = SegmentLevels(block) else { throw rows.damagedWords() }
        return segments.isMergingOldest
    }

    // MARK: Queries

    /// Visits the records that an expression finds, until the closure returns false.
    ///
    /// The closure is given the number and the score of each record. The score is nil if it is too low.
    ///
    /// The order of the record numbers is descending if `newestFirst` is true. An ascending order takes FTS5 less time.
    /// If a scope is given, only records within the scope are visited and counted.
    func visitMatches(
        _ expression: SearchExpression, in scope: Scope? = nil, most: Int, newestFirst: Bool,
        _ body: (Int64, Double?) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        let inScope = """
            AND EXISTS (SELECT 1 FROM records WHERE number = search.rowid AND scope >= ? AND scope < ?)
            """
        let query = """
            SELECT rowid, text_rank(search) FROM search WHERE search MATCH ? \(scope == nil ? "" : inScope)
            ORDER BY rowid \(newestFirst ? "DESC" : "ASC") LIMIT ?
            """
        let bounds: [SQLiteValue] = scope.map { [.blob($0.encoded), .blob(WriteTable.end(of: $0))] } ?? []
        try rows.statement(query).rows([.text(expression.text)] + bounds + [.integer(Int64(most))]) {
            (row) throws(StoreFailure) in try body(row.integer(0), row.isNull(1) ? nil : row.real(1))
        }
    }

    /// Counts the records that an expression finds, at most `most`.
    func count(_ expression: SearchExpression, most: Int) throws(StoreFailure) -> Int {
        let query = "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ?)"
        return try rows.statement(query).first([.text(expression.text), .integer(Int64(most))]) { (row) in
            Int(row.integer(0))
        } ?? 0
    }

    /// Whether the table has the words of all items and was filled by the rules of this program.
    func isFilled() throws(StoreFailure) -> Bool {
        let (rules, through) = try progress()
        return rules == SearchRules.current && through == nil
    }

    /// Returns which items can be found by their words now.
    func coverage() throws(StoreFailure) -> SearchCoverage {
        guard try isFilled() else { return .refilling }
        return try BatchTable(rows: rows).isMerging() ? .merging : .whole
    }
}
