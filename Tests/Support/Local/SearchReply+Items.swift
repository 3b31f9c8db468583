package import BatonCore

extension SearchReply {
    /// The items among the results, in their order.
    package var items: [FoundItem] { results.compactMap(\.thing.item) }
}
