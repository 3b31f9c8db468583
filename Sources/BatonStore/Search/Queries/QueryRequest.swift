import BatonCore

/// A query with the things that may be shown, the present time, and the wanted number and order of results.
struct QueryRequest {
    let query: SearchQuery
    /// The things that may be shown now.
    var scope: SearchScope
    var now: WallTime
    let most: Int
    let order: SearchOrder
    /// The attributes that the results have; nil for their title, description and address.
    let attributes: FetchedAttributes?

    init(
        _ query: SearchQuery, in scope: SearchScope, at now: WallTime, most: Int,
        order: SearchOrder = .best, attributes: FetchedAttributes? = nil
    ) {
        self.query = query
        self.scope = scope
        self.now = now
        self.most = most
        self.order = order
        self.attributes = attributes
    }
}
