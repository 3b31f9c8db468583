/// The pauses between failed attempts.
///
/// Each pause is twice as long as the one before, within bounds.
package struct Backoff: Sendable {
    private let bounds: ClosedRange<Duration>
    /// The length of the next pause.
    package private(set) var upcoming: Duration

    package init(_ bounds: ClosedRange<Duration>) { (self.bounds, upcoming) = (bounds, bounds.lowerBound) }

    /// Returns the length of the pause that begins now, and doubles the next one up to the upper bound.
    package mutating func next() -> Duration {
        defer { upcoming = min(upcoming * 2, bounds.upperBound) }
        return upcoming
    }

    /// Makes the next pause as short as possible, after a success.
    package mutating func reset() { upcoming = bounds.lowerBound }

    /// Makes the next pause as long as possible.
    package mutating func exhaust() { upcoming = bounds.upperBound }
}
