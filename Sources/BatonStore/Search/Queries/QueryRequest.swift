import BatonCore

/// A query, the scope of the search, the present time, and the number and the order of the wanted results.
struct QueryRequest {
    let query: SearchQuery
    /// Decides which things may be shown now.
    var scope: SearchScope
    var now: WallTime
    let most: Int
    let order: SearchOrder
    /// The attributes by which the results are sorted before they are sorted by the time of indexing.
    let sorting: QueryOrder
    /// The attributes that are shown of each result; nil for the title, the description and the address.
    let attributes: FetchedAttributes?

    init(
        _ query: SearchQuery, in scope: SearchScope, at now: WallTime, most: Int,
        order: SearchOrder = .best, sorting: QueryOrder = .indexed, attributes: FetchedAttributes? = nil
    ) {
        self.query = query
        self.scope = scope
        self.now = now
        self.most = most
        self.order = order
        self.sorting = sorting
        self.attributes = attributes
    }
}
