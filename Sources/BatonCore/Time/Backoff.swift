/// The pauses between failed attempts: each is twice as long as the one before, within bounds.
package struct Backoff: Sendable {
    private let bounds: ClosedRange<Duration>
    /// The length of the next pause.
    package private(set) var upcoming: Duration

    package init(_ bounds: ClosedRange<Duration>) { (self.bounds, upcoming) = (bounds, bounds.lowerBound) }

    /// Returns the pause that begins now, and makes the next one longer.
    package mutating func next() -> Duration {
        defer { upcoming = min(upcoming * 2, bounds.upperBound) }
        return upcoming
    }

    /// Makes the next pause the shortest possible.
    package mutating func reset() { upcoming = bounds.lowerBound }

    /// Makes the next pause the longest possible.
    package mutating func exhaust() { upcoming = bounds.upperBound }
}
