/// Random numbers that are the same in every process for the same seed (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator from a seed.
    ///
    /// Seeds that are near each other give states far apart, because the sequence of a state continues in those of all
    /// states that it reaches.
    package init(seed: UInt64) { state = Self.mix(seed &+ 0x2545_f491_4f6c_dd1d) }

    /// Creates a generator from a state that was drawn far from all others.
    package init(state: UInt64) { self.state = state }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.mix(state)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// Returns a number of the range.
    package mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// Returns true in this many of a hundred cases.
    package mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }

    /// Returns one of the values; there must be some.
    package mutating func pick<Values: RandomAccessCollection<Value>, Value>(_ values: Values) -> Value {
        values[values.index(values.startIndex, offsetBy: number(0...values.count - 1))]
    }

    /// Returns the values in another order.
    package mutating func shuffled<Value>(_ values: [Value]) -> [Value] {
        var values = values
        for place in values.indices.reversed() { values.swapAt(place, number(0...place)) }
        return values
    }
}
