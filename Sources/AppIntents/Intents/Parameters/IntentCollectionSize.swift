/// The number of values of a list.
public struct IntentCollectionSize: Hashable, Sendable, ExpressibleByIntegerLiteral {
    let range: ClosedRange<Int>

    /// Creates an exact number.
    public init(_ count: Int) { range = count...count }
    /// Creates an exact number.
    public init(integerLiteral value: Int) { self.init(value) }
    /// Creates a range of numbers.
    public init(min: Int, max: Int) { range = min...Swift.max(min, max) }
}
