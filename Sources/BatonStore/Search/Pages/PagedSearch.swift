package import BatonCore

/// A search whose results are read page by page.
package struct PagedSearch: Sendable {
    /// The words that all results must have; nil if there is only a query.
    package var words: String?
    /// The query that all results must meet; nil if there are only words.
    package var query: SearchQuery?
    package var order: SearchOrder
    /// The attributes that are shown of each result; nil for the title, the description and the address.
    package var attributes: FetchedAttributes?
    /// The largest number of results of the search, and of one page.
    package var most, pageMost: Int

    package init(
        words: String?, query: SearchQuery?, order: SearchOrder, attributes: FetchedAttributes? = nil,
        most: Int, pageMost: Int
    ) {
        self.words = words
        self.query = query
        self.order = order
        self.attributes = attributes
        let limit = order == .found && words == nil ? Limits.streamedResults : Limits.listedResults
        self.most = max(0, min(most, limit))
        self.pageMost = max(1, min(pageMost, Limits.foundItems))
    }
}
