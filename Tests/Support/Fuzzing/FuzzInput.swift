/// Reads decisions from the bytes of an input, first to last; after the end it reads zeros.
///
/// Changing one byte changes one decision, which helps a fuzzer to explore.
package struct FuzzInput {
    package private(set) var rest: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    package var isAtEnd: Bool { rest.isEmpty }

    package mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// Returns a number of the range, which has at most 256.
    package mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(byte()) % range.count
    }

    /// Returns the next bytes, at most this many.
    package mutating func bytes(upTo count: Int) -> [UInt8] {
        let taken = rest.prefix(count)
        rest = rest.dropFirst(count)
        return Array(taken)
    }

    /// Returns one of the values; the array must not be empty.
    package mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0...values.count - 1)] }
}
