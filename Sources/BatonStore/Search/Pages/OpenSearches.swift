import BatonCore

/// The searches of which further pages may still be requested.
///
/// The node gives each search a number.
final class OpenSearches {
    private let store: SearchedStore
    private var open: [UInt64: OpenSearch] = [:]

    /// The number of bytes at which a page gets no further results.
    ///
    /// Even with its last result, the page fits into a frame.
    private static let pageBytes = Limits.frameBytes / 2

    init(_ store: SearchedStore) { self.store = store }

    /// A search of which the next page may be requested.
    private struct OpenSearch {
        let search: PagedSearch
        let results: Results
    }

    /// The source of the further results of a search.
    private enum Results {
        /// The results of a search by words, which were all found when the search began.
        case listed(ListedResults)
        /// A query, which finds its results in steps.
        case asked(QuerySearch)
    }

    /// Begins a search with this number, and returns the first page.
    func begin(
        _ number: UInt64, _ search: PagedSearch, at now: WallTime, in scope: SearchScope,
        demandWanted: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> FoundPage {
        let results: Results
        let page: FoundPage
        if let words = search.words {
            let listed = try list(words, search, at: now, in: scope)
            (results, page) = (.listed(listed), try self.page(of: listed, search, at: now, in: scope))
        } else if let query = search.query {
            let request = QueryRequest(
                query, in: scope, at: now, most: search.most, order: search.order,
                attributes: search.attributes)
            let asked = QuerySearch(request, in: store)
            (results, page) = (.asked(asked), try self.page(of: asked, search, isFirst: true, demandWanted))
        } else {
            return FoundPage(things: [], isLast: true, coverage: .whole)
        }
        if !page.isLast { open[number] = OpenSearch(search: search, results: results) }
        return page
    }

    /// Returns the next page of the search with this number; nil if there is no such search.
    func nextPage(
        _ number: UInt64, at now: WallTime, in scope: SearchScope,
        demandWanted: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> FoundPage? {
        guard let open = open[number] else { return nil }
        let page: FoundPage
        switch open.results {
        case .listed(let listed): page = try self.page(of: listed, open.search, at: now, in: scope)
        case .asked(let asked):
            asked.renew(scope, at: now)
            page = try self.page(of: asked, open.search, isFirst: false, demandWanted)
        }
        if page.isLast { end(number) }
        return page
    }

    /// Ends the search with this number.
    func end(_ number: UInt64) { open[number] = nil }

    // MARK: Words

    private func list(
        _ words: String, _ search: PagedSearch, at now: WallTime, in scope: SearchScope
    ) throws(StoreFailure) -> ListedResults {
        let phrases = Phrase.all(of: words)
        var scope = scope
        scope.condition = search.query
        let request = WordRequest(most: search.most, now: now, scope: scope, hasSnippets: false)
        let finding = try WordSearch(request, in: store).find(phrases)
        return ListedResults(finding, of: phrases, attributes: search.attributes)
    }

    private func page(
        of listed: ListedResults, _ search: PagedSearch, at now: WallTime, in scope: SearchScope
    ) throws(StoreFailure) -> FoundPage {
        store.stop.beginSearch()
        return try store.step { () throws(StoreFailure) in
            FoundPage(
                things: try listed.next(
                    search.pageMost, bytes: Self.pageBytes, at: now, in: scope, of: store),
                isLast: listed.isAtEnd, coverage: listed.coverage, corrected: listed.corrected)
        }
    }

    // MARK: Queries

    /// Runs the steps of a query that the next page needs, and returns the page.
    ///
    /// If the best results come first, all steps must run before the first page.
    private func page(
        of asked: QuerySearch, _ search: PagedSearch, isFirst: Bool,
        _ demandWanted: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> FoundPage {
        switch search.order {
        case .best where isFirst:
            return try asked.finish(demandWanted) { () throws(StoreFailure) in
                try presentPage(of: asked, search, isMore: false)
            }
        case .best:
            return try store.step { () throws(StoreFailure) in
                try presentPage(of: asked, search, isMore: false)
            }
        case .found:
            let isMore = try asked.goOn(until: search.pageMost, demandWanted)
            return try store.step { () throws(StoreFailure) in
                try presentPage(of: asked, search, isMore: isMore)
            }
        }
    }

    /// Reads the next page of a query in the present read transaction.
    private func presentPage(
        of asked: QuerySearch, _ search: PagedSearch, isMore: Bool
    ) throws(StoreFailure) -> FoundPage {
        let things = try asked.nextResults(search.pageMost, bytes: Self.pageBytes)
        return FoundPage(
            things: things, isLast: asked.isFull || asked.readyCount == 0 && (!isMore || asked.isCut),
            coverage: try asked.coverage())
    }
}
