/// A property and an order.
public struct EntityQuerySort<Entity: AppEntity>: @unchecked Sendable {
    /// The property, such as `\Book.$title`.
    ///
    /// Not checked by the compiler because key paths that literals make never change.
    public let by: PartialKeyPath<Entity>
    /// The order.
    public let order: Ordering

    /// Creates a sorting.
    public init(by: PartialKeyPath<Entity>, order: Ordering) { (self.by, self.order) = (by, order) }

    /// An order.
    @frozen public enum Ordering: Hashable, Sendable {
        /// The smallest first.
        case ascending
        /// The largest first.
        case descending
    }
}
