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

    /// How much of what stands here by now can be found by its words.
    func searchCoverage() throws(StoreFailure) -> SearchCoverage {
        let query = """
            SELECT through IS NULL AND rules = ?, EXISTS (SELECT 1 FROM batches WHERE life IS NOT NULL)
            FROM search_progress
            """
        let found = try connection.statement(query).first([.integer(SearchRules.current)]) {
            (row) throws(StoreFailure) in (isFilled: row.integer(0) != 0, isMerging: row.integer(1) != 0)
        }
        guard let found, found.isFilled else { return .refilling }
        return found.isMerging ? .merging : .whole
    }
}
