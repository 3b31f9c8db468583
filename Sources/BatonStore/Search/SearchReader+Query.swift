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
        let search = QuerySearch(QueryRequest(query, in: scope, at: now, most: most), in: store)
        return try search.finish(demandWanted) { () throws(StoreFailure) in
            Finding(things: try search.nextResults(most), coverage: try search.coverage())
        }
    }
}
