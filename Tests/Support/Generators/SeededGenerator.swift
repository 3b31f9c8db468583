/// Random numbers that are the same in every process for the same seed (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// A number of the range.
    package mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// True in so many of a hundred cases.
    package mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }

    /// One of the values; there must be some.
    package mutating func pick<Values: RandomAccessCollection<Value>, Value>(_ values: Values) -> Value {
        values[values.index(values.startIndex, offsetBy: number(0...values.count - 1))]
    }

    /// The values in another order.
    package mutating func shuffled<Value>(_ values: [Value]) -> [Value] {
        var values = values
        for place in values.indices.reversed() { values.swapAt(place, number(0...place)) }
        return values
    }
}
