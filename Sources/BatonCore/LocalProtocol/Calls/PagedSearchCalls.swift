// The calls of a search whose results come in pages.

/// Begins a search and requests the first page of its results.
///
/// If the connection has an earlier search with the same number, that search ends. A search also ends with its last
/// page, with the connection, or if the client does not request the next page for some time.
package struct BeginSearch: ConnectionCall {
    package typealias Reply = SearchPage
    package static let number = LocalCallNumber.beginSearch

    /// The number of the search, which the client chooses; it is valid for this connection.
    package var search: UInt64
    /// The words that all results contain, and the filter of the search; nil to search only with a query.
    package var words: SearchItems?
    /// The query that all results must match; it may be nil if there are words.
    package var query: QueryItems?
    /// Further queries that all results must match, too.
    ///
    /// They have the time and the time zone of `query`.
    package var filters: [String]
    /// The order of the results.
    package var order: SearchOrder
    /// The names of the attributes that each result has instead of its title, description and address.
    ///
    /// The name `*` means all attributes. If the property is nil, each result has its title, description and address.
    package var attributes: [String]?
    /// The largest number of results on one page.
    package var pageMost: Int

    package init(
        _ search: UInt64, words: SearchItems? = nil, query: QueryItems? = nil, filters: [String] = [],
        order: SearchOrder = .best, attributes: [String]? = nil, pageMost: Int = Limits.foundItems
    ) {
        (self.search, self.words, self.query) = (search, words, query)
        (self.filters, self.order, self.attributes) = (filters, order, attributes)
        self.pageMost = pageMost
    }

    /// Parses `query` and `filters` into one query; returns nil if `query` is nil.
    package func parsed() throws(LocalFailure) -> SearchQuery? {
        guard let query else {
            guard filters.isEmpty else { throw LocalFailure(.usage, "Further queries need a first one.") }
            return nil
        }
        guard filters.count <= Limits.filterQueries else {
            throw LocalFailure(
                .usage, "A search may have at most \(Limits.filterQueries) further queries.")
        }
        guard query.sorting.isEmpty else {
            throw LocalFailure(.usage, "A search with pages can't be sorted by attributes.")
        }
        var queries = [try query.parsed()]
        for filter in filters {
            var further = query
            further.query = filter
            queries.append(try further.parsed())
        }
        guard let all = SearchQuery(all: queries) else {
            throw LocalFailure(
                .usage, "The queries have more than \(Limits.queryParts) conditions together.")
        }
        return all
    }

    /// Returns the requested attributes; nil if none were requested.
    package func fetchedAttributes() throws(LocalFailure) -> FetchedAttributes? {
        guard let attributes else { return nil }
        guard attributes.count <= Limits.fetchedAttributes else {
            throw LocalFailure(
                .usage, "A search may ask for at most \(Limits.fetchedAttributes) attributes.")
        }
        var names: Set<FieldName> = []
        for attribute in attributes where attribute != FetchedAttributes.everything {
            guard let name = FieldName(queryName: attribute) else {
                throw LocalFailure(.usage, "“\(attribute)” is not the name of an attribute.")
            }
            names.insert(name)
        }
        return attributes.contains(FetchedAttributes.everything) ? .all : .named(names)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.unsigned(search) }
            fields.field(2, words) { $1.encode(to: &$0) }
            fields.field(3, query) { $1.encode(to: &$0) }
            if !filters.isEmpty { fields.field(4) { $0.value(filters) } }
            fields.field(5) { $0.unsigned(order.rawValue) }
            fields.field(6, attributes) { $0.value($1) }
            fields.field(7) { $0.integer(Int64(pageMost)) }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var search: UInt64?, words: SearchItems?, query: QueryItems?, order: UInt64?, attributes: [String]?
        var (filters, pageMost) = ([String](), Int64(Limits.foundItems))
        let start = reader.offset
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: search = try reader.unsigned()
            case 2: words = try SearchItems(from: &reader)
            case 3: query = try QueryItems(from: &reader)
            case 4: filters = try reader.value()
            case 5: order = try reader.unsigned()
            case 6: attributes = try reader.value() as [String]
            case 7: pageMost = try reader.integer()
            default: break
            }
        }
        guard let order = SearchOrder(rawValue: try order.required(5, in: reader)) else {
            throw CBORError(.outOfRange, at: start)
        }
        guard words != nil || query != nil else { throw CBORError(.missingField(2), at: start) }
        self.init(
            try search.required(1, in: reader), words: words, query: query, filters: filters, order: order,
            attributes: attributes, pageMost: Int(pageMost))
    }
}

/// The order of the results of a paged search.
package enum SearchOrder: UInt64, CaseIterable, Sendable {
    /// The best result comes first; for a query without words, the most recently indexed or ended thing comes first.
    case best = 1
    /// The results come in the order in which they are found; for a search for words, this is also the order of their
    /// ranks.
    case found = 2
}

/// Requests the next page of a search.
package struct NextPage: ConnectionCall {
    package typealias Reply = SearchPage
    package static let number = LocalCallNumber.nextPage

    /// The number of the search on this connection.
    package var search: UInt64

    package init(_ search: UInt64) { self.search = search }

    package func encode(to writer: inout CBORWriter) { writer.value(search) }

    package init(from reader: inout CBORReader) throws(CBORError) { search = try reader.value() }
}

/// Ends a search, even while the node is making one of its pages.
///
/// The call does nothing if no search has this number.
package struct EndSearch: ConnectionCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.endSearch

    /// The number of the search on this connection.
    package var search: UInt64

    package init(_ search: UInt64) { self.search = search }

    package func encode(to writer: inout CBORWriter) { writer.value(search) }

    package init(from reader: inout CBORReader) throws(CBORError) { search = try reader.value() }
}

/// A page of the results of a search, in their state at one moment.
package struct SearchPage: SimpleReply {
    package static let kind = LocalReplyKind.searchPage

    /// The next results; a page may be empty although further results follow.
    package var results: [SearchResult]
    /// Whether this is the last page.
    package var isLast: Bool
    /// Whether all items were searched for the pages up to this one.
    package var isWhole: Bool
    /// The corrected text that was searched for instead of the typed text, which nothing matches; nil if nothing was
    /// corrected.
    package var corrected: String?
    /// Whether protected items were not searched because they are locked.
    package var isLocked = false

    package init(_ results: [SearchResult], isLast: Bool, isWhole: Bool, corrected: String? = nil) {
        self.results = results
        self.isLast = isLast
        self.isWhole = isWhole
        self.corrected = corrected
    }

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.value(results) }
            fields.field(2) { $0.boolean(isLast) }
            fields.field(3) { $0.boolean(isWhole) }
            fields.field(4, corrected) { $0.text($1) }
            if isLocked { fields.field(5) { $0.boolean(true) } }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var results: [SearchResult]?, isLast: Bool?, isWhole: Bool?, corrected: String?
        var isLocked = false
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: results = try reader.value()
            case 2: isLast = try reader.boolean()
            case 3: isWhole = try reader.boolean()
            case 4: corrected = try reader.text()
            case 5: isLocked = try reader.boolean()
            default: break
            }
        }
        self.init(
            try results.required(1, in: reader), isLast: try isLast.required(2, in: reader),
            isWhole: try isWhole.required(3, in: reader), corrected: corrected)
        self.isLocked = isLocked
    }
}
