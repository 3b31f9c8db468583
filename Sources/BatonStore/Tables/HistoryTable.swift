import BatonCore

/// The rows of `searches`: the searches of the person that led to something.
struct HistoryTable {
    let rows: LaneRows

    /// A search that was remembered.
    struct Entry: Equatable {
        /// The text as it was typed last.
        let text: String
        /// The app in which the person searched; nil for a search of all apps.
        let app: String?
        let count: Int
        let last: WallTime
    }

    /// Counts a search, and forgets the oldest searches if there are more than `most`.
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

    /// Forgets a search in every app where it was made, or all searches if `words` is nil.
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
