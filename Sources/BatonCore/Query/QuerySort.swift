/// An attribute by which the results of a query are sorted.
package struct QuerySort: Equatable, Sendable {
    /// The name of the attribute in a query.
    package let attribute: String
    /// Whether the largest values come first.
    package let isDescending: Bool

    package init(_ attribute: String, isDescending: Bool = false) {
        (self.attribute, self.isDescending) = (attribute, isDescending)
    }

    /// The most attributes by which one query sorts.
    package static let most = 8
}
