import BatonCore
import Support
import Testing

@Suite struct `Fields of a write` {
    @Test(arguments: Seeds.first(10))
    func `survive encoding, and the size of the encoding is known in advance`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let fields = generator.fields(0...30)
            #expect(fields.encoded.count == fields.encodedCount)
            let read = try CBORReader.whole(fields.encoded[...]) { (reader) throws(CBORError) in
                try Fields(from: &reader)
            }
            #expect(read == fields)
        }
    }

    @Test(arguments: Seeds.first(5))
    func `are in the order of their encoded names`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let names = (0..<40).map { _ in generator.fieldName() } + [.number(.max), .number(256), .custom([])]
        for left in names {
            for right in names {
                #expect((left < right) == left.encoded.lexicographicallyPrecedes(right.encoded))
            }
        }
        var fields = Fields()
        for name in names { fields[name] = [0] }
        #expect(
            fields.map(\.name) == fields.map(\.name).sorted()
                && Set(fields.map(\.name)) == Set(names))
    }

    @Test(arguments: Seeds.first(10))
    func `are equal whether set by number or by name, and can be compared without the field of one number`(
        _ seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        for number in [0, 3, 23, 24, 300] as [UInt64] {
            let fields = generator.fields(0...30)
            var (set, named, without) = (fields, fields, fields)
            set.set(number) { $0.text("new") }
            named[.number(number)] = [0x63] + Array("new".utf8)
            without[.number(number)] = nil
            #expect(set == named && set.count == named.count)
            #expect(set.equals(fields, besides: number) && without.equals(set, besides: number))
            set.set(number + 1) { $0.text("new") }
            named[.number(number + 1)] = [0x63] + Array("new".utf8)
            #expect(set == named)
            set.set(number + 1) { $0.text("old") }
            #expect(!set.equals(named, besides: number))
        }
    }

    @Test func `are set, replaced and removed`() throws {
        var fields = Fields()
        fields.set(3) { $0.unsigned(1) }
        fields.set(1) { $0.text("text") }
        fields.set(3) { $0.unsigned(2) }
        fields[.number(2)] = nil
        #expect(fields.map(\.name) == [.number(1), .number(3)])
        let (there, absent) = (try fields.number(3), try fields.number(2))
        #expect(there == 2 && absent == nil)
        fields[.number(1)] = nil
        fields[.number(9)] = nil
        #expect(fields.map(\.name) == [.number(3)] && !fields.isEmpty)
    }

    @Test func `with canonically equivalent names are different fields`() throws {
        var reader = CBORReader([UInt8](hex: "a2 62c3a9 01 6365cc81 02"))
        let fields = try Fields(from: &reader)
        #expect(fields.count == 2)
    }
}

extension Fields {
    fileprivate func number(_ name: UInt64) throws -> UInt64? {
        try read(name) { (reader) throws(CBORError) in try reader.unsigned() }
    }
}

extension FieldName {
    /// The encoding of this name alone.
    fileprivate var encoded: [UInt8] {
        var writer = CBORWriter()
        switch self {
        case .number(let number): writer.unsigned(number)
        case .custom(let text): writer.text(utf8: text)
        case .part(let number, let device):
            writer.array(count: 2)
            writer.unsigned(number)
            writer.identifier(device)
        }
        return writer.bytes
    }
}
