package import BatonCore

/// The words of the items that can be seen, kept in step with them.
extension LaneDatabase {
    /// Reads how far the full-text table has come; one that was made by other rules is made anew.
    func loadSearch() throws(StoreFailure) {
        let row = try connection.statement("SELECT rules, through FROM search_progress").first([]) {
            (row) throws(StoreFailure) in (row.integer(0), row.isNull(1) ? nil : row.integer(1))
        }
        guard let (rules, through) = row else { throw damaged(.outOfRange) }
        if rules == SearchRules.current { progress.searched = through } else { try emptySearch() }
        guard !isReadOnly, progress.searched != nil, try nextUnsearched(1).isEmpty else { return }
        progress.searched = nil
        try keepSearched()
    }

    /// Takes note of what became of a record, which is told to the full-text table at the end of the transaction.
    func noteSearch(_ number: Int64, from old: Record?, to new: Record?) throws(StoreFailure) {
        guard (new ?? old)?.identity.kind == .item, progress.searched.map({ number <= $0 }) ?? true else {
            return
        }
        let (old, new) = (old.flatMap(SearchText.init), new.flatMap(SearchText.init))
        guard old != new else { return }
        search.append(SearchChanges.Change(number: number, old: old, new: new))
        progress.searchChanges = search.count
        if search.byteCount > searchBytesMost { try changeSearch() }
    }

    /// Brings the full-text table up to date.
    ///
    /// It can be made again from the records; so where it is damaged, that is done, and nothing else is lost.
    func changeSearch() throws(StoreFailure) {
        guard search.count > 0 else { return }
        let changes = search.takeAll()
        progress.searchChanges = 0
        progress.searchRounds += 1
        do {
            for change in changes {
                if let old = change.old { try run(Self.removal, change.number, old) }
                if let new = change.new { try run(Self.insertion, change.number, new) }
            }
        } catch {
            guard error.code == .damaged else { throw error }
            try emptySearch()
        }
    }

    private static let insertion = """
        INSERT INTO search (rowid, title, names, keywords, description, body) VALUES (?, ?, ?, ?, ?, ?)
        """
    private static let removal = """
        INSERT INTO search (search, rowid, title, names, keywords, description, body)
        VALUES ('delete', ?, ?, ?, ?, ?, ?)
        """

    private func run(_ text: String, _ number: Int64, _ words: SearchText) throws(StoreFailure) {
        try connection.statement(text).run(
            [.integer(number)] + words.texts.map { $0.isEmpty ? .null : .text($0) })
    }

    /// Forgets what is put back with the transaction; what was told to the table before is put back by SQLite.
    ///
    /// Answers false if changes from before the savepoint were told since, and are gone now.
    func undoSearch(to standing: LaneProgress) -> Bool {
        guard progress.searchRounds != standing.searchRounds else {
            search.shorten(to: standing.searchChanges)
            return true
        }
        search = SearchChanges()
        return standing.searchChanges == 0
    }

    // MARK: Filling

    /// Empties the full-text table; it is to be filled from the first record on.
    func emptySearch() throws(StoreFailure) {
        try connection.run("INSERT INTO search (search) VALUES ('delete-all')")
        progress.searched = 0
        try keepSearched()
        // The changes that were waiting are dropped last: filling the table anew covers them, and if emptying it
        // failed, they must go on waiting.
        search = SearchChanges()
        progress.searchChanges = 0
    }

    /// Puts the words of so many further records into the full-text table; true if no more are missing.
    func fillSearch(most: Int) throws(StoreFailure) -> Bool {
        guard progress.searched != nil else { return true }
        let numbers = try nextUnsearched(most)
        for number in numbers {
            progress.searched = number
            try noteSearch(number, from: nil, to: try storedRecord(number: number)?.record)
        }
        if numbers.count < most, progress.searched != nil { progress.searched = nil }
        try keepSearched()
        return progress.searched == nil
    }

    /// The next records that are not in the table.
    private func nextUnsearched(_ most: Int) throws(StoreFailure) -> [Int64] {
        var numbers: [Int64] = []
        try connection.statement(
            "SELECT number FROM records WHERE number > ? AND kind = ? ORDER BY number LIMIT ?"
        )
        .rows(
            [
                .integer(progress.searched ?? .max), .integer(RecordKind.item.rawValue),
                .integer(Int64(most)),
            ]
        ) { (row) throws(StoreFailure) in
            numbers.append(row.integer(0))
            return true
        }
        return numbers
    }

    private func keepSearched() throws(StoreFailure) {
        try connection.run(
            "UPDATE search_progress SET rules = ?, through = ?", .integer(SearchRules.current),
            progress.searched.map { .integer($0) } ?? .null)
    }
}

extension SQLiteLane {
    /// Puts so many further items into the full-text table, where it was made anew; true if none is missing.
    package func fillSearch(most: Int = 500) throws(StoreFailure) -> Bool {
        guard database.progress.searched != nil else { return true }
        return try change { (database) throws(StoreFailure) in try database.fillSearch(most: most) }
    }

    /// Has the full-text table made anew, because it was found damaged.
    package func emptySearch() throws(StoreFailure) {
        try change { (database) throws(StoreFailure) in try database.emptySearch() }
    }
}

extension SQLiteStore {
    /// Puts so many further items into the full-text table of the index; true if none is missing.
    package func fillSearch(most: Int = 500) throws(StoreFailure) -> Bool { try index.fillSearch(most: most) }

    /// Has the full-text table of the index made anew.
    package func emptySearch() throws(StoreFailure) { try index.emptySearch() }
}
