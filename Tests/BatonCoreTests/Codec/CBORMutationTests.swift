import BatonCore
import Support
import Testing

/// Tests that each value has exactly one encoding: bytes that can be read as a value are its encoding.
@Suite struct `Bytes that were tampered with` {
    @Test(arguments: Seeds.first(40))
    func `are refused, or are exactly the encoding of the value that they are read as`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let value = generator.value(depth: 3)
        let bytes = value.encoded
        #expect(Self.isWrittenAsRead(bytes) == true, "what was written is read")
        for place in bytes.indices {
            #expect(Self.isWrittenAsRead(Array(bytes[..<place])) != false, "\(bytes.hex) cut at \(place)")
            for bits in UInt8(1)...255 {
                var mutated = bytes
                mutated[place] ^= bits
                guard Self.isWrittenAsRead(mutated) == false else { continue }
                Issue.record("\(mutated.hex) is read, and written otherwise")
            }
        }
    }

    @Test(arguments: Seeds.first(40))
    func `in fields that are not read are skipped if they are well-formed, and refused otherwise`(
        _ seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var numbers: Set<UInt64> = []
        while numbers.count < 30 { numbers.insert(generator.next() >> UInt64(generator.number(0...63))) }
        let fields = numbers.sorted().map { ($0, generator.value(depth: 1)) }
        for count in [0, 1, 23, 24, 30] {
            var (writer, counted) = (CBORWriter(), CBORWriter())
            writer.text("before")
            counted.text("before")
            counted.map(count: count)
            writer.map { map in
                for (number, value) in fields.prefix(count) { map.field(number) { value.encode(to: &$0) } }
            }
            for (number, value) in fields.prefix(count) {
                counted.unsigned(number)
                value.encode(to: &counted)
            }
            #expect(writer.bytes == counted.bytes)
            var (reader, read) = (CBORReader(writer.bytes), [UInt64]())
            try reader.skip()
            try reader.fields { (number, reader) throws(CBORError) in
                read.append(number)
                if number % 2 == 0 { _ = try PropertyValue(from: &reader) }
            }
            try reader.end()
            #expect(read == fields.prefix(count).map(\.0))
        }
    }

    /// Returns whether bytes that are read as a value are encoded to the same bytes; nil if they are refused.
    private static func isWrittenAsRead(_ bytes: [UInt8]) -> Bool? {
        var reader = CBORReader(bytes)
        guard let value = try? PropertyValue(from: &reader), (try? reader.end()) != nil else { return nil }
        return value.encoded == bytes && CBORReader.refusalUnread(of: bytes[...]) == nil
    }
}

@Suite struct `Numbers, data and order in CBOR` {
    @Test func `a floating-point number is encoded in the shortest form that keeps its value`() throws {
        for bits in UInt16.min...UInt16.max {
            let half = Float16(bitPattern: bits)
            try Self.check(Double(half), head: 0xf9)
            // The neighbours of a half among wider numbers are no halves, except those that are too small.
            guard half.isFinite else { continue }
            try Self.check(Double(Float(half).nextUp), head: 0xfa)
            try Self.check(Double(half).nextUp, head: 0xfb)
        }
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let value = generator.real()
            let isHalf = value.isNaN || Float16(exactly: value) != nil
            try Self.check(value, head: isHalf ? 0xf9 : Float(exactly: value) != nil ? 0xfa : 0xfb)
        }
    }

    @Test func `data is read only if it has the requested length`() throws {
        var reader = CBORReader([UInt8](hex: "43010203"))
        #expect(try reader.data(count: 3) == [1, 2, 3])
        for (count, reason) in [(2, CBORError.Reason.outOfRange), (4, .outOfRange)] {
            let error = CBORReader.refusal(of: [UInt8](hex: "43010203")[...]) { (reader) throws(CBORError) in
                _ = try reader.data(count: count)
            }
            #expect(error == CBORError(reason, at: 0))
        }
        let error = CBORReader.refusal(of: [UInt8](hex: "00430102")[...]) { (reader) throws(CBORError) in
            try reader.skip()
            _ = try reader.data(count: 3)
        }
        #expect(error == CBORError(.truncated, at: 1))
    }

    @Test(arguments: Seeds.first(20))
    func `map keys and set members are ordered by their encodings`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let values = Set((0..<20).map { _ in generator.value(depth: 1) })
        let sorted = values.map(\.encoded).sorted { $0.lexicographicallyPrecedes($1) }
        var writer = CBORWriter()
        writer.tag(258)
        writer.array(count: sorted.count)
        for value in sorted { writer.encoded(value) }
        #expect(PropertyValue.set(values).encoded == writer.bytes)
        let pairs = Dictionary(uniqueKeysWithValues: values.map { ($0, PropertyValue.null) })
        writer = CBORWriter()
        writer.map(count: sorted.count)
        for value in sorted {
            writer.encoded(value)
            writer.null()
        }
        #expect(PropertyValue.dictionary(pairs).encoded == writer.bytes)
    }

    private static func check(_ value: Double, head: UInt8) throws {
        let bytes = PropertyValue.real(value).encoded
        #expect(bytes.first == head, "\(value)")
        var reader = CBORReader(bytes)
        let read = try reader.real()
        #expect(read.bitPattern == value.bitPattern || (read.isNaN && value.isNaN))
    }
}
