import BatonCore

/// A lane on a connection that only reads, beside the one that writes.
extension LaneDatabase {
    /// Runs the closure on what one transaction of the writer has left.
    func reading<Value>(_ body: () throws(StoreFailure) -> Value) throws(StoreFailure) -> Value {
        try connection.run("BEGIN")
        let result: Result<Value, StoreFailure>
        do throws(StoreFailure) {
            // The writer may have numbered further lives, and one that it took back may have got another number.
            try loadLives()
            try loadSweeps()
            result = .success(try body())
        } catch {
            result = .failure(error)
        }
        // What is only read is kept and undone alike; the end of it is never interrupted.
        if connection.isInTransaction { try connection.run("ROLLBACK") }
        return try result.get()
    }

    /// Whether the words of all items stand in the full-text table.
    func isSearchWhole() throws(StoreFailure) -> Bool {
        try connection.statement("SELECT through IS NULL AND rules = ? FROM search_progress")
            .first([.integer(SearchRules.current)]) { (row) throws(StoreFailure) in row.integer(0) != 0 }
            ?? false
    }
}
