import BatonCore
import Support
import Testing

/// Tests that nothing is accepted in one pass that would be refused if fields were checked first and read then.
@Suite struct `Reading items and activities in one pass` {
    @Test(arguments: Seeds.first(40))
    func `accepts the same bytes as checking the fields first and reading them afterwards`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (activity, item) = (generator.activity(), generator.item())
        var accepted = 0
        for bytes in Self.mutations(of: activity.fields.encoded, &generator) {
            let read = Self.result(bytes) { (reader) throws(CBORError) in try Activity(from: &reader) }
            let expected = Self.result(bytes) { (reader) throws(CBORError) in
                try Activity(try Fields(from: &reader))
            }
            #expect(read == expected, "\(bytes.hex)")
            if read != nil { accepted += 1 }
        }
        let name = ItemName(app: "a", index: "i", identifier: "1")
        for bytes in Self.mutations(of: item.fields.encoded, &generator) {
            let read = Self.result(bytes) { (reader) throws(CBORError) in
                try Item(domain: "d", from: &reader)
            }
            let expected = Self.result(bytes) { (reader) throws(CBORError) in
                let scope = Scope.items(app: "a", index: "i", domain: "d")
                return try Item(name, Write.Content(scope: scope, fields: try Fields(from: &reader)))
            }
            #expect(read == expected, "\(bytes.hex)")
            if read != nil { accepted += 1 }
        }
        #expect(accepted > 2, "some mutations are other values")
    }

    /// Encodings of fields that no receiver accepts, each with the error.
    private static let refusals: [(String, CBORError)] = [
        ("", CBORError(.truncated, at: 0)), ("a1", CBORError(.truncated, at: 0)),
        ("80", CBORError(.unexpectedType, at: 0)), ("bf0161 74ff", CBORError(.notCanonical, at: 0)),
        ("b80101 6174", CBORError(.notCanonical, at: 0)),
        ("a101 6174 00", CBORError(.trailingBytes, at: 4)),
        ("a2 01 6174 01 6175", CBORError(.keysOutOfOrder, at: 4)),
        ("a2 02 6174 01 6174", CBORError(.keysOutOfOrder, at: 4)),
        ("a2 01 6174 1800 00", CBORError(.notCanonical, at: 4)),
        ("a2 01 6174 20 00", CBORError(.unexpectedType, at: 4)),
        ("a2 01 6174 61ff 00", CBORError(.invalidText, at: 4)),
        ("a2 01 6174 8101 00", CBORError(.outOfRange, at: 4)),
        ("a2 01 6174 1820 61ff", CBORError(.invalidText, at: 6)),
        ("a2 01 6174 1820 6361", CBORError(.truncated, at: 6)),
        ("a2 01 6174 1820 1817", CBORError(.notCanonical, at: 6)),
        ("a2 01 6174 1820 fa3f800000", CBORError(.notCanonical, at: 6)),
        ("a2 01 6174 1820 a2 00 00 00 00", CBORError(.keysOutOfOrder, at: 9)),
        ("a2 01 6174 19ffff 61ff", CBORError(.invalidText, at: 7)),
        ("a2 01 6174 19ffff a2 01 00 00 00", CBORError(.keysOutOfOrder, at: 10)),
        ("a2 01 6174 19ffff ff", CBORError(.unexpectedType, at: 7)),
        (
            "a2 01 6174 1820" + String(repeating: "81", count: Limits.nestingDepth + 1) + "00",
            CBORError(.tooDeep, at: 6 + Limits.nestingDepth + 1)
        ),
        (
            "a2 01 6174 19ffff" + String(repeating: "81", count: Limits.nestingDepth + 1) + "00",
            CBORError(.tooDeep, at: 7 + Limits.nestingDepth + 1)
        ),
        ("b90401", CBORError(.outOfRange, at: 0)),
    ]

    @Test(arguments: refusals)
    func `refuses malformed bytes with the offset of the fault`(_ hex: String, _ error: CBORError) {
        let bytes = [UInt8](hex: hex)[...]
        let refusal = CBORReader.refusal(of: bytes) { (reader) throws(CBORError) in
            _ = try Activity(from: &reader)
        }
        #expect(refusal == error)
        let checked = CBORReader.refusal(of: bytes) { (reader) throws(CBORError) in
            _ = try Fields(from: &reader)
        }
        #expect(checked == error, "as where fields are checked unread")
    }

    /// Returns the value that the closure reads from all of the bytes; nil if it refuses them.
    private static func result<Value>(
        _ bytes: [UInt8], _ read: (inout CBORReader) throws(CBORError) -> Value
    ) -> Value? {
        do throws(CBORError) { return try CBORReader.whole(bytes[...], read) } catch { return nil }
    }

    /// Returns the bytes and many variants of them: cut, with other bytes, or with a part moved.
    private static func mutations(of bytes: [UInt8], _ generator: inout SeededGenerator) -> [[UInt8]] {
        var mutations = [bytes]
        for _ in 0..<400 {
            var mutated = bytes
            let place = generator.number(0...bytes.count - 1)
            switch generator.number(0...3) {
            case 0: mutated.removeSubrange(place...)
            case 1: mutated[place] ^= 1 << UInt8(generator.number(0...7))
            case 2: mutated[place] = UInt8(truncatingIfNeeded: generator.next())
            default: mutated.swapAt(place, generator.number(0...bytes.count - 1))
            }
            mutations.append(mutated)
        }
        return mutations
    }
}
