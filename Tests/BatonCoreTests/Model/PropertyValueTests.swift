import BatonCore
import Support
import Testing

@Suite struct `Property values` {
    @Test func `have different hashes, even if they are chosen to collide`() {
        // Arrays of 0 and of empty arrays, in all orders; and texts that are divided in different places.
        let zeros = (0..<2000).map { number in
            PropertyValue.array((0..<11).map { number >> $0 & 1 == 0 ? .integer(0) : .array([]) })
        }
        let texts = (0..<2000).map { number in
            PropertyValue.array([
                .string(String(repeating: "a", count: number)),
                .string(String(repeating: "a", count: 2000 - number)),
            ])
        }
        for values in [zeros, texts] { #expect(Set(values.map(\.hashValue)).count > 1990) }
        let simple: [PropertyValue] = [
            .integer(0), .real(0), .date(0), .boolean(false), .null, .string(""), .url(""), .data([]),
            .array([]),
            .set([]), .dictionary([:]),
        ]
        #expect(Set(simple.map(\.hashValue)).count == simple.count)
    }

    @Test func `that are nested too deeply to be read are refused`() throws {
        let most = PropertyLimits.valuesRead
        for (count, isRead) in [(most - 1, true), (most, false)] {
            var writer = CBORWriter()
            PropertyValue.array([PropertyValue](repeating: .null, count: count)).encode(to: &writer)
            #expect((CBORReader.refusalAsValue(of: writer.bytes[...]) == nil) == isRead)
        }
    }

    @Test(arguments: Seeds.first(20))
    func `survive encoding`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let value = generator.value(depth: 4)
            let bytes = value.encoded
            let read = try CBORReader.whole(bytes[...]) { (reader) throws(CBORError) in
                try PropertyValue(from: &reader)
            }
            #expect(read == value)
            #expect(read.encoded == bytes)
            #expect(value.encodedCount == bytes.count)
            #expect(read.hashValue == value.hashValue)
        }
    }

    @Test(arguments: Seeds.first(5))
    func `are equal if their encodings are equal`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let values = (0..<60).map { _ in generator.value(depth: 1) }
        for left in values {
            for right in values { #expect((left == right) == (left.encoded == right.encoded)) }
        }
    }

    @Test func `that look alike are different, and NaN equals itself`() {
        #expect(PropertyValue.string("é") != .string("e\u{301}"))
        #expect(PropertyValue.real(0) != .real(-0.0))
        #expect(PropertyValue.integer(1) != .real(1))
        #expect(PropertyValue.boolean(true) != .integer(1))
        #expect(PropertyValue.string("a") != .url("a"))
        #expect(Set([PropertyValue.real(.nan), .real(-.nan)]).count == 1)
    }

    @Test func `in a set or a dictionary are encoded in a fixed order`() {
        let set = PropertyValue.set([.string("b"), .integer(1), .string("aa"), .string("a"), .null])
        #expect(set.encoded.hex == "d9010285" + "01" + "6161" + "6162" + "626161" + "f6")
        let dictionary = PropertyValue.dictionary([
            .string("b"): .null, .integer(-1): .null, .integer(24): .null,
        ])
        #expect(dictionary.encoded.hex == "a3" + "1818f6" + "20f6" + "6162f6")
    }

    @Test func `return their content only as their own type`() {
        #expect(PropertyValue.string("a").string == "a")
        #expect(PropertyValue.url("a").string == nil)
        #expect(PropertyValue.array([]).members == nil)
        #expect(PropertyValue.dictionary([.null: .null]).pairs == [.null: .null])
        #expect(PropertyValue.null.pairs == nil)
    }
}
