import BatonCore

/// The rows of the table `searches`, which has the remembered searches of the person.
struct HistoryTable {
    let rows: LaneRows

    /// A search that was remembered.
    struct Entry: Equatable {
        /// The text of the search, as the person typed it the last time.
        let text: String
        /// The app in which the person searched; nil for a search of all apps.
        let app: String?
        let count: Int
        let last: WallTime
    }

    /// Adds a search, or increases the count of the search.
    ///
    /// If there are more than `most` searches afterwards, the oldest ones are removed.
    func remember(
        _ words: [UInt8], _ text: String, in app: String?, at now: WallTime, most: Int
    ) throws(StoreFailure) {
        try rows.run(
            """
            INSERT INTO searches (words, app, text, count, last) VALUES (?, ?, ?, 1, ?)
            ON CONFLICT DO UPDATE SET text = excluded.text, count = count + 1, last = excluded.last
            """, .blob(words), .text(app ?? ""), .text(text), .integer(now.milliseconds))
        try rows.run(
            """
            DELETE FROM searches WHERE (words, app) IN (
                SELECT words, app FROM searches ORDER BY last DESC, words, app LIMIT -1 OFFSET ?)
            """, .integer(Int64(most)))
    }

    /// Removes a search in all apps, or all searches if `words` is nil.
    func forget(_ words: [UInt8]?) throws(StoreFailure) {
        guard let words else { return try rows.removeAll(from: "searches") }
        try rows.run("DELETE FROM searches WHERE words = ?", .blob(words))
    }

    /// Returns all searches, latest first.
    func entries() throws(StoreFailure) -> [Entry] {
        var entries: [Entry] = []
        try rows.statement("SELECT text, app, count, last FROM searches ORDER BY last DESC, words, app").rows(
            []) { (row) in
                let app = row.text(1)
                entries.append(
                    Entry(
                        text: row.text(0), app: app.isEmpty ? nil : app, count: Int(row.integer(2)),
                        last: WallTime(milliseconds: row.integer(3))))
                return true
            }
        return entries
    }
}
