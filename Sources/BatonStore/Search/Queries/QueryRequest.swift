import BatonCore

/// A query as it is asked: which things may be shown, when, and how many results are wanted in which order.
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
