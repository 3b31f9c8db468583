package import BatonCore

/// The position of a result in the order of the results of a query.
///
/// Positions from two stores can be compared with each other.
package struct QueryPosition: Equatable, Sendable {
    /// The values by which the result is sorted, one for each attribute that orders the results.
    let keys: [SortKey]
    let age: ItemAge

    /// Whether a result at this position comes before a result at another position.
    ///
    /// The attributes of the order decide first. If their values are equal, the later result comes first.
    package func precedes(_ other: QueryPosition, by sorting: QueryOrder) -> Bool {
        let byAttributes = sorting.isEmpty ? nil : sorting.precedes(keys, other.keys)
        return byAttributes ?? age.precedes(other.age)
    }
}
