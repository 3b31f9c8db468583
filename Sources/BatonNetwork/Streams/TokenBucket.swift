/// A token bucket: an allowance that grows at a constant rate, up to a maximum.
package struct TokenBucket: Sendable {
    /// The amount that is added in each second.
    private let rate: Double
    /// The maximum amount that can be saved up.
    private let size: Double
    /// The amount that may be spent now; negative after more was spent than there was.
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

    /// Adds the amount for the time since the last call.
    package mutating func fill(at now: MonotonicTime) {
        spare = min(size, spare + rate * max(0, (now - last) / .seconds(1)))
        last = now
    }

    /// Spends an amount, even if less than that is available.
    package mutating func spend(_ amount: Double) { spare -= amount }

    /// Returns how long it takes until an amount may be spent.
    package func time(until amount: Double) -> Duration { .seconds(max(0, amount - spare) / rate) }
}
