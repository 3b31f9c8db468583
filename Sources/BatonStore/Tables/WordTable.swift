import BatonCore

/// The rows of `words`, which say how many items have each word of the full-text table.
struct WordTable {
    let rows: LaneRows

    /// Adds changes to the counts of how many items have each word.
    ///
    /// The SQL function `noted` passes a count to the tally, so that one statement is enough for almost every word.
    ///
    /// While other changes of words are kept for later (`WordChangeTable`), a count may be too low, even below zero.
    func add(_ words: TalliedWords, whileMoreAreKept isPartial: Bool) throws(StoreFailure) {
        let tally = rows.connection.tally
        let statement = try rows.statement(
            """
            INSERT INTO words (word, items, level) VALUES (?1, ?2, ?3)
            ON CONFLICT DO UPDATE SET items = noted(items + ?2)
            """)
        try words.visitChanges { (word, change) throws(StoreFailure) in
            tally.noted = nil
            try statement.run(word, Int64(change), Int64(Self.level(change)))
            let items = tally.noted.map { Int($0) } ?? change
            // A count below zero is damage, unless changes of words are kept for later.
            guard items >= 0 || isPartial else { throw rows.damagedWords() }
            if items == 0 {
                try rows.run("DELETE FROM words WHERE word = ?", .blob(Array(word)))
            } else if tally.noted != nil, Self.level(items) != Self.level(items - change) {
                try rows.run(
                    "UPDATE words SET level = ? WHERE word = ?", .integer(Int64(Self.level(items))),
                    .blob(Array(word)))
            }
        }
    }

    /// Removes all words.
    func removeAll() throws(StoreFailure) { try rows.run("DELETE FROM words") }

    /// Returns the number of bits in a number of items, which serves as a word's level because it rarely changes.
    private static func level(_ items: Int) -> Int { Int.bitWidth - max(items, 0).leadingZeroBitCount }

    // MARK: Queries

    /// A word with the number of items that have it.
    struct Word: Equatable {
        let word: [UInt8]
        let items: Int
    }

    /// Returns the number of items that have a word.
    func items(with word: [UInt8]) throws(StoreFailure) -> Int {
        let items = try rows.statement("SELECT items FROM words WHERE word = ?").first([.blob(word)]) {
            (row) in Int(row.integer(0))
        }
        return max(items ?? 0, 0)
    }

    /// Returns the words that begin with these letters (at least one letter); if there are more than `most`, the most
    /// frequent words.
    func completions(of letters: [UInt8], most: Int) throws(StoreFailure) -> (words: [Word], isWhole: Bool) {
        let bounds = Self.bounds(of: letters)
        let all = try beginning(with: letters, most: most + 1)
        guard all.count > most else { return (all, true) }
        var found: [Word] = []
        // Only words of these higher levels are in an index; rare words are not.
        for level in (Self.indexedLevel...Int.bitWidth).reversed() where found.count < most {
            found += try words(
                """
                SELECT word, items FROM words
                WHERE level = ?3 AND level > 2 AND word >= ?1 AND word < ?2 ORDER BY word LIMIT ?4
                """, bounds + [.integer(Int64(level)), .integer(Int64(most - found.count))])
        }
        let isThere = Set(found.map(\.word))
        found += all.filter { !isThere.contains($0.word) }.prefix(most - found.count)
        return (found, false)
    }

    /// Returns the first words that begin with these letters (at least one letter), in order.
    func beginning(with letters: [UInt8], most: Int) throws(StoreFailure) -> [Word] {
        try words(
            "SELECT word, items FROM words WHERE word >= ? AND word < ? AND items > 0 ORDER BY word LIMIT ?",
            Self.bounds(of: letters) + [.integer(Int64(most))])
    }

    /// Returns the words whose length is in `counts`, among the first words that begin with these letters.
    func beginning(
        with letters: [UInt8], counts: ClosedRange<Int>, amongFirst most: Int
    ) throws(StoreFailure) -> [Word] {
        try words(
            """
            SELECT word, items FROM (
                SELECT word, items FROM words WHERE word >= ? AND word < ? ORDER BY word LIMIT ?
            ) WHERE length(CAST(word AS TEXT)) BETWEEN ? AND ?
            """,
            Self.bounds(of: letters)
                + [most, counts.lowerBound, counts.upperBound].map { .integer(Int64($0)) })
    }

    /// Returns words that contain these letters, and words so long that their stored beginning may lack them.
    func containing(_ letters: [UInt8], most: Int) throws(StoreFailure) -> [Word] {
        try words(
            "SELECT word, items FROM words WHERE (instr(word, ?) > 0 OR length(word) > ?) AND items > 0 LIMIT ?",
            [.blob(letters), .integer(Int64(WordCutter.wordBytes - 4)), .integer(Int64(most))])
    }

    /// Returns the bounds of the words that begin with these letters; the second bound is excluded.
    private static func bounds(of letters: [UInt8]) -> [SQLiteValue] {
        // No byte of UTF-8 is 0xff, so adding one never overflows.
        [.blob(letters), .blob(letters.dropLast() + letters.suffix(1).map { $0 &+ 1 })]
    }

    /// The lowest level of the words in the index.
    private static let indexedLevel = 3

    private func words(_ query: String, _ values: [SQLiteValue]) throws(StoreFailure) -> [Word] {
        var words: [Word] = []
        try rows.statement(query).rows(values) { (row) in
            words.append(Word(word: row.blob(0), items: Int(row.integer(1))))
            return true
        }
        return words
    }
}
