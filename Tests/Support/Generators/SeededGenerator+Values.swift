package import BatonCore

extension SeededGenerator {
    package mutating func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
        let count = number(count)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    package mutating func identifier<Name: Identifier>(_: Name.Type = Name.self) -> Name {
        .random(using: &self)
    }

    /// Returns one of few identifiers, so that the same ones recur.
    package mutating func identifier<Name: Identifier>(of count: Int) -> Name {
        Name(high: 0xba70, low: UInt64(number(1...count)))
    }

    /// Returns text of pieces that are awkward: accents in both spellings, right-to-left, control characters, none.
    package mutating func text(_ pieces: ClosedRange<Int> = 0...4) -> String {
        let all = [
            "a", "Zz", "é", "e\u{301}", "漢字", "🧵", "\u{202e}", "\u{1b}[31m", "\0", "ß", "\"", "\n", "0",
        ]
        let count = number(pieces)
        return (0..<count).map { _ in pick(all) }.joined()
    }

    package mutating func integer() -> Int64 {
        switch number(0...3) {
        case 0: Int64(number(-300...300))
        case 1:
            pick([Int64.min, .min + 1, -1, 0, 23, 24, 255, 256, 65_535, 65_536, 1 << 32 - 1, 1 << 32, .max])
        default: Int64(bitPattern: next())
        }
    }

    package mutating func real() -> Double {
        switch number(0...2) {
        case 0:
            pick([
                0, -0.0, 1.5, 65_504, 65_505, 3.4e38, 1.1, .infinity, -.infinity, .nan,
                Double.leastNonzeroMagnitude, 6e-8,
            ])
        case 1: Double(Float(bitPattern: UInt32(truncatingIfNeeded: next())))
        default: Double(bitPattern: next())
        }
    }

    /// Returns a property-list value of any kind, nested at most this deep.
    package mutating func value(depth: Int = 3) -> PropertyValue {
        switch number(depth > 0 ? 0...11 : 0...8) {
        case 0: .string(text())
        case 1: .integer(integer())
        case 2: .real(real())
        case 3: .boolean(chance(50))
        case 4: .data(bytes(0...30))
        case 5: .date(real())
        case 6: .url("https://example.org/" + text())
        case 7: .uuid(bytes(16...16))
        case 8: .null
        case 9: .array(values(depth: depth - 1))
        case 10: .set(Set(values(depth: depth - 1)))
        default: .dictionary(dictionary(depth: depth - 1))
        }
    }

    private mutating func values(depth: Int) -> [PropertyValue] {
        let count = number(0...4)
        return (0..<count).map { _ in value(depth: depth) }
    }

    package mutating func dictionary(depth: Int) -> [PropertyValue: PropertyValue] {
        var pairs: [PropertyValue: PropertyValue] = [:]
        for key in values(depth: depth) { pairs[key] = value(depth: depth) }
        return pairs
    }
}
