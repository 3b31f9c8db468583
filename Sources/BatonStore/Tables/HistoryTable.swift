import BatonCore

/// The rows of `searches`: the searches of the person that led to something.
struct HistoryTable {
    let rows: LaneRows

    /// A search that was remembered.
    struct Entry: Equatable {
        /// The text as it was typed last.
        let text: String
        let count: Int
        let last: WallTime
    }

    /// Counts a search, and forgets those that were made longest ago if there are more than `most`.
    func remember(_ words: [UInt8], _ text: String, at now: WallTime, most: Int) throws(StoreFailure) {
        try rows.run(
            """
            INSERT INTO searches (words, text, count, last) VALUES (?, ?, 1, ?)
            ON CONFLICT DO UPDATE SET text = excluded.text, count = count + 1, last = excluded.last
            """, .blob(words), .text(text), .integer(now.milliseconds))
        try rows.run(
            """
            DELETE FROM searches WHERE words IN (
                SELECT words FROM searches ORDER BY last DESC, words LIMIT -1 OFFSET ?)
            """, .integer(Int64(most)))
    }

    /// Forgets a search, or all.
    func forget(_ words: [UInt8]?) throws(StoreFailure) {
        guard let words else { return try rows.removeAll(from: "searches") }
        try rows.run("DELETE FROM searches WHERE words = ?", .blob(words))
    }

    /// Returns all searches, the latest first.
    func entries() throws(StoreFailure) -> [Entry] {
        var entries: [Entry] = []
        try rows.statement("SELECT text, count, last FROM searches ORDER BY last DESC, words").rows([]) {
            (row) in
            entries.append(
                Entry(
                    text: row.text(0), count: Int(row.integer(1)),
                    last: WallTime(milliseconds: row.integer(2))))
            return true
        }
        return entries
    }
}
