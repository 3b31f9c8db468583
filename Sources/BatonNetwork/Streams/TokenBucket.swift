/// An allowance that fills at an even rate, up to an amount that may be spent at once after a quiet while.
struct TokenBucket: Sendable {
    /// How much comes in a second.
    private let rate: Double
    private let size: Double
    /// How much may be spent right now; negative after more was spent than was there.
    private(set) var spare: Double
    private var last: MonotonicTime

    init(rate: Double, size: Double, now: MonotonicTime) {
        precondition(rate > 0 && size > 0, "something may be spent at times")
        (self.rate, self.size, spare, last) = (rate, size, size, now)
    }

    /// Fills it with what came since the last call.
    mutating func fill(at now: MonotonicTime) {
        spare = min(size, spare + rate * max(0, (now - last) / .seconds(1)))
        last = now
    }

    mutating func spend(_ amount: Double) { spare -= amount }

    /// How long it takes until so much may be spent.
    func time(until amount: Double) -> Duration { .seconds(max(0, amount - spare) / rate) }
}
