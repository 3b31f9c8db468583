/// Reads decisions from the bytes of an input, the first ones first; one that has ended answers with zeros.
///
/// A byte that changes changes one decision, so that a fuzzer finds its way.
package struct FuzzInput {
    package private(set) var rest: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    package var isAtEnd: Bool { rest.isEmpty }

    package mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// A number of the range, which has at most 256.
    package mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(byte()) % range.count
    }

    /// The next bytes, as many as there are up to that count.
    package mutating func bytes(upTo count: Int) -> [UInt8] {
        let taken = rest.prefix(count)
        rest = rest.dropFirst(count)
        return Array(taken)
    }

    /// One of the values; there must be some.
    package mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0...values.count - 1)] }
}
