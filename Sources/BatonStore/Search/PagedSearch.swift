package import BatonCore

/// A search whose results are taken page by page.
package struct PagedSearch: Sendable {
    /// The words that results have; nil if a query alone is asked.
    package var words: String?
    /// The query that results meet; nil if words alone are asked.
    package var query: SearchQuery?
    package var order: SearchOrder
    /// The attributes that the results have; nil for their title, description and address.
    package var attributes: FetchedAttributes?
    /// The most results of the search, and of a page.
    package var most, pageMost: Int

    package init(
        words: String?, query: SearchQuery?, order: SearchOrder, attributes: FetchedAttributes? = nil,
        most: Int, pageMost: Int
    ) {
        (self.words, self.query, self.order, self.attributes) = (words, query, order, attributes)
        let limit = order == .found && words == nil ? Limits.streamedResults : Limits.listedResults
        self.most = max(0, min(most, limit))
        self.pageMost = max(1, min(pageMost, Limits.foundItems))
    }
}

/// A page of results, as they are at one moment.
package struct FoundPage: Equatable, Sendable {
    package var things: [SearchReader.Found]
    /// Whether no further page follows.
    package var isLast: Bool
    package var coverage: SearchCoverage
    /// The text that was searched for instead, because nothing has one of the words that were typed.
    package var corrected: String?
}

/// The searches whose further pages may be asked for, by the numbers that the node gives them.
final class OpenSearches {
    fileprivate var all: [UInt64: OpenSearch] = [:]
}

/// A search between two pages.
private final class OpenSearch {
    let search: PagedSearch
    let results: Results

    /// Where further results come from.
    enum Results {
        /// The words were searched for at once; these are their results, best first.
        case listed(ListedResults)
        /// The query is asked in steps.
        case asked(QuerySearch)
    }

    init(_ search: PagedSearch, _ results: Results) { (self.search, self.results) = (search, results) }
}

/// The results of a search for words, as they were when it began, without what is read again for each page.
private final class ListedResults {
    private(set) var rest: ArraySlice<[Listed]>
    let phrases: [Phrase]
    let coverage: SearchCoverage
    let corrected: String?

    /// An item or an activity, of which one or several are a result.
    struct Listed {
        let item: ItemName?
        let activity: RecordIdentity?
        let rank: ItemRank?
    }

    init(_ finding: SearchReader.Finding, _ phrases: [Phrase]) {
        rest =
            finding.things.map { found in
                (found.parts.isEmpty ? [found] : found.parts).map { part in
                    Listed(item: part.thing.item?.name, activity: part.activity, rank: part.rank)
                }
            }[...]
        self.phrases = finding.corrected.map { Phrase.all(of: $0 + " ") } ?? phrases
        (coverage, corrected) = (finding.coverage, finding.corrected)
    }

    func next() -> [Listed]? { rest.popFirst() }
}

extension SearchReader {
    /// Begins a search under a number, and returns its first page.
    package func begin(
        _ number: UInt64, _ search: PagedSearch, at now: WallTime, in scope: SearchScope,
        demandWanted: () throws(StoreFailure) -> Void = {}
    ) throws(StoreFailure) -> FoundPage {
        let results: OpenSearch.Results
        if let words = search.words {
            let phrases = Phrase.all(of: words)
            var scope = scope
            scope.condition = search.query
            let request = WordRequest(most: search.most, now: now, scope: scope, hasSnippets: false)
            let finding = try WordSearch(request, in: store).find(phrases)
            results = .listed(ListedResults(finding, phrases))
        } else if let query = search.query {
            let request = QueryRequest(
                query, in: scope, at: now, most: search.most, order: search.order,
                attributes: search.attributes)
            let asked = QuerySearch(request, in: store)
            results = .asked(asked)
            if search.order == .best {
                let page = try asked.finish(demandWanted) { () throws(StoreFailure) in
                    try self.page(of: asked, search, isMore: false)
                }
                if !page.isLast { pages.all[number] = OpenSearch(search, results) }
                return page
            }
        } else {
            return FoundPage(things: [], isLast: true, coverage: .whole)
        }
        let open = OpenSearch(search, results)
        let page = try self.page(of: open, at: now, in: scope, demandWanted)
        if !page.isLast { pages.all[number] = open }
        return page
    }

    /// Returns the next page of the search with a number; nil if there is none.
    package func nextPage(
        _ number: UInt64, at now: WallTime, in scope: SearchScope,
        demandWanted: () throws(StoreFailure) -> Void = {}
    ) throws(StoreFailure) -> FoundPage? {
        guard let open = pages.all[number] else { return nil }
        if case .asked(let asked) = open.results { asked.renew(scope, at: now) }
        let page = try page(of: open, at: now, in: scope, demandWanted)
        if page.isLast { end(number) }
        return page
    }

    /// Ends the search with a number.
    package func end(_ number: UInt64) { pages.all[number] = nil }

    private func page(
        of open: OpenSearch, at now: WallTime, in scope: SearchScope,
        _ demandWanted: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> FoundPage {
        switch open.results {
        case .listed(let results):
            stop.beginSearch()
            return try store.step { () throws(StoreFailure) in
                FoundPage(
                    things: try take(from: results, open.search, at: now, in: scope),
                    isLast: results.rest.isEmpty, coverage: results.coverage, corrected: results.corrected)
            }
        case .asked(let asked):
            let isMore =
                open.search.order == .found
                ? try asked.goOn(until: open.search.pageMost, demandWanted) : false
            return try store.step { () throws(StoreFailure) in
                try page(of: asked, open.search, isMore: isMore)
            }
        }
    }

    /// Takes the next page of a query.
    private func page(
        of asked: QuerySearch, _ search: PagedSearch, isMore: Bool
    ) throws(StoreFailure) -> FoundPage {
        let things = try asked.nextResults(search.pageMost, bytes: Self.pageBytes)
        return FoundPage(
            things: things, isLast: asked.isFull || asked.readyCount == 0 && (!isMore || asked.isCut),
            coverage: try asked.coverage())
    }

    /// A page takes no further results beyond this many bytes; one more fits a frame.
    private static let pageBytes = Limits.frameBytes / 2

    /// Takes the next results of a search for words, as they are now; what is gone is passed over.
    private func take(
        from results: ListedResults, _ search: PagedSearch, at now: WallTime, in scope: SearchScope
    ) throws(StoreFailure) -> [Found] {
        var (things, bytes, looked) = ([Found](), 0, 0)
        var maker = SnippetMaker(results.phrases)
        while things.count < search.pageMost, bytes < Self.pageBytes, looked < Self.lookedMost,
            let listed = results.next()
        {
            looked += 1
            guard let found = try present(listed, search, &maker, at: now, in: scope) else { continue }
            bytes += found.byteCount
            things.append(found)
        }
        return things
    }

    /// A page looks at this many results at most, of which any number may be gone.
    private static let lookedMost = 2000

    /// Returns a result as it is now; nil if nothing of it may be shown.
    private func present(
        _ listed: [ListedResults.Listed], _ search: PagedSearch, _ maker: inout SnippetMaker,
        at now: WallTime,
        in scope: SearchScope
    ) throws(StoreFailure) -> Found? {
        var (parts, texts, related) = ([Found](), [String]?.none, RelatedItems(index, at: now))
        for part in listed {
            if let name = part.item, !scope.appsOff.contains(name.app),
                let number = try index.tables.records.number(of: name.key.identity),
                let item = try index.records.item(number: number), !item.hasExpired(at: now),
                scope.admits(item)
            {
                var found = Found(item, part.rank)
                if let attributes = search.attributes {
                    found.show(attributes, of: item.content.fields)
                } else if texts == nil {
                    texts = SearchText(item.content.fields)?.texts
                }
                parts.append(found)
            }
            if let identity = part.activity,
                let activity = try saved.queried([identity], nil, in: scope, at: now).first,
                try related.have(activity.names)
            {
                var found = Found(
                    thing: .activity(activity.found), rank: part.rank,
                    devices: [activity.device].compactMap(\.self))
                if let attributes = search.attributes {
                    found.show(attributes, of: activity.item.attributes.fields)
                }
                parts.append(found)
            }
        }
        guard var found = Found(joining: parts) else { return nil }
        if search.attributes == nil { found.addSnippet(of: texts ?? [], by: &maker) }
        return found
    }
}

extension SearchReader.Found {
    /// The activity, by its record.
    fileprivate var activity: RecordIdentity? {
        thing.activity.flatMap { KeyHash(text: $0.identifier) }.map {
            RecordIdentity(kind: .savedActivity, hash: $0)
        }
    }
}
