package import BatonCore

/// A search whose results are read page by page.
package struct PagedSearch: Sendable {
    /// The words that results have; nil if there is only a query.
    package var words: String?
    /// The query that results meet; nil if there are only words.
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
        self.words = words
        self.query = query
        self.order = order
        self.attributes = attributes
        let limit = order == .found && words == nil ? Limits.streamedResults : Limits.listedResults
        self.most = max(0, min(most, limit))
        self.pageMost = max(1, min(pageMost, Limits.foundItems))
    }
}
