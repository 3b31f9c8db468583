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
        return try runToEnd(search, demandWanted) { () throws(StoreFailure) in
            Finding(things: try search.take(most), coverage: try search.coverage())
        }
    }

    /// Makes all steps of a search, or as many as the time allows, and returns what the closure then takes from it.
    ///
    /// The closure reads the same moment as the last step, unless the time was over.
    func runToEnd<Value: Sendable>(
        _ search: QuerySearch, _ demandWanted: () throws(StoreFailure) -> Void,
        _ take: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        stop.beginSearch()
        do {
            while true {
                try demandWanted()
                let value = try store.step { () throws(StoreFailure) -> Value? in
                    if try search.goOn() { return nil }
                    // Reading a bounded number of items once more has a bound of its own.
                    stop.beginSearch()
                    return try take()
                }
                if let value { return value }
            }
        } catch {
            guard stop.hasEndedSearch else { throw error }
            search.isCut = true
        }
        stop.beginSearch()
        return try store.step(take)
    }
}
