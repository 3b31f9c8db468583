package import BatonCore

extension SearchReader {
    /// Returns the items and activities that meet a query and have not expired at this time, those that were indexed or
    /// ended last first.
    ///
    /// It reads in short steps, so that the writer can truncate SQLite's log in between. Before each step it calls the
    /// closure, which throws if nobody waits for the result any more. The things that it returns are read once more at
    /// the end, and so are all there at one moment.
    ///
    /// A search that takes too long ends with what it has found; the coverage says so.
    package func find(
        _ query: SearchQuery, most: Int, at now: WallTime,
        in scope: SearchScope = SearchScope(),
        demandWanted: () throws(StoreFailure) -> Void = {}
    ) throws(StoreFailure) -> Finding {
        guard most > 0 else { return Finding(things: [], coverage: .whole) }
        let search = QuerySearch(query, in: scope, most: most, at: now, self)
        try runToEnd(search, demandWanted)
        return try step { () throws(StoreFailure) in
            Finding(things: try search.take(most), coverage: try search.coverage())
        }
    }

    /// Makes all steps of a search, or as many as the time allows.
    func runToEnd(
        _ search: QuerySearch, _ demandWanted: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        stop.beginSearch()
        do {
            repeat {
                try demandWanted()
            } while try step({ () throws(StoreFailure) in try search.goOn() })
        } catch {
            guard stop.hasEndedSearch else { throw error }
            search.isCut = true
        }
        // Reading a bounded number of items once more has a bound of its own.
        stop.beginSearch()
    }

    /// Runs the closure on one moment of the index.
    func step<Value: Sendable>(
        _ body: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        try gate.read { () throws(StoreFailure) in try index.reading(body) }
    }
}
