import BatonCore

/// The rows of the table `words`, which has the number of items for each word of the full-text table.
struct WordTable {
    let rows: LaneRows

    /// Adds changes to the numbers of items that have each word.
    ///
    /// The SQL function `noted` passes the new count of a word to the tally. So one statement per word is almost always
    /// enough.
    ///
    /// While other changes of words are kept for later (`WordChangeTable`), a count may be too low, and even negative.
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
            // A negative count means that the table is damaged, unless changes of words are kept for later.
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

    /// Returns the level of a word that this number of items have, which is the number of bits of `items`.
    ///
    /// The level is stored and indexed instead of the number, because the level rarely changes.
    private static func level(_ items: Int) -> Int { Int.bitWidth - max(items, 0).leadingZeroBitCount }

    // MARK: Queries

    /// A word, and the number of items that have the word.
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

    /// Returns the words that begin with these letters.
    ///
    /// If there are more than `most` such words, the most frequent ones are returned, and `isWhole` is false. `letters`
    /// must not be empty.
    func completions(of letters: [UInt8], most: Int) throws(StoreFailure) -> (words: [Word], isWhole: Bool) {
        let bounds = Self.bounds(of: letters)
        let all = try beginning(with: letters, most: most + 1)
        guard all.count > most else { return (all, true) }
        var found: [Word] = []
        // The index of levels has only the words of these levels, not rare words.
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

    /// Returns the first words that begin with these letters, in the order of their bytes.
    ///
    /// `letters` must not be empty.
    func beginning(with letters: [UInt8], most: Int) throws(StoreFailure) -> [Word] {
        try words(
            "SELECT word, items FROM words WHERE word >= ? AND word < ? AND items > 0 ORDER BY word LIMIT ?",
            Self.bounds(of: letters) + [.integer(Int64(most))])
    }

    /// Returns the words with a length in `counts` that begin with these letters.
    ///
    /// Only the first `most` words that begin with these letters are searched.
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

    /// Returns words that contain these letters, and words that may contain them.
    ///
    /// Only the beginning of a very long word is stored, so the letters may be in the rest of the word.
    func containing(_ letters: [UInt8], most: Int) throws(StoreFailure) -> [Word] {
        try words(
            "SELECT word, items FROM words WHERE (instr(word, ?) > 0 OR length(word) > ?) AND items > 0 LIMIT ?",
            [.blob(letters), .integer(Int64(WordCutter.wordBytes - 4)), .integer(Int64(most))])
    }

    /// Returns the lower and the upper bound of the words that begin with these letters.
    ///
    /// The upper bound itself is not included.
    private static func bounds(of letters: [UInt8]) -> [SQLiteValue] {
        // No byte of UTF-8 is 0xff, so adding one to a byte never overflows.
        [.blob(letters), .blob(letters.dropLast() + letters.suffix(1).map { $0 &+ 1 })]
    }

    /// The lowest level of which the index of levels has words.
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
