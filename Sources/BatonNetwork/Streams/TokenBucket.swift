/// An allowance that fills at an even rate, up to the size of the bucket.
package struct TokenBucket: Sendable {
    /// How much is added in a second.
    private let rate: Double
    /// The most that can be saved up.
    private let size: Double
    /// How much may be spent now; negative after overspending.
    package private(set) var spare: Double
    /// When the bucket was last filled.
    private var last: MonotonicTime

    package init(rate: Double, size: Double, now: MonotonicTime) {
        precondition(rate > 0 && size > 0, "a bucket that never fills was asked for")
        self.rate = rate
        self.size = size
        spare = size
        last = now
    }

    /// Adds what has accrued since the last call.
    package mutating func fill(at now: MonotonicTime) {
        spare = min(size, spare + rate * max(0, (now - last) / .seconds(1)))
        last = now
    }

    /// Spends an amount, even if less is available.
    package mutating func spend(_ amount: Double) { spare -= amount }

    /// Returns how long it takes until an amount may be spent.
    package func time(until amount: Double) -> Duration { .seconds(max(0, amount - spare) / rate) }
}
