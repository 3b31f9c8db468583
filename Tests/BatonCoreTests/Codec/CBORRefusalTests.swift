import BatonCore
import Support
import Testing

/// Bytes that must be refused, with the reason and the offset.
struct CBORRefusal: CustomStringConvertible, Sendable {
    let hex: String
    let reason: CBORError.Reason
    let offset: Int

    init(_ hex: String, _ reason: CBORError.Reason, at offset: Int = 0) {
        (self.hex, self.reason, self.offset) = (hex, reason, offset)
    }

    var description: String { "\(hex): \(reason) at \(offset)" }

    static let heads = [
        CBORRefusal("1817", .notCanonical), CBORRefusal("1900ff", .notCanonical),
        CBORRefusal("1a0000ffff", .notCanonical), CBORRefusal("1b00000000ffffffff", .notCanonical),
        CBORRefusal("3817", .notCanonical), CBORRefusal("5800", .notCanonical),
        CBORRefusal("780161", .notCanonical),
        CBORRefusal("9801 01", .notCanonical), CBORRefusal("b8010101", .notCanonical),
        CBORRefusal("d801f90000", .notCanonical), CBORRefusal("8200 1817", .notCanonical, at: 2),
        CBORRefusal("1c", .notCanonical), CBORRefusal("5d", .notCanonical), CBORRefusal("7e", .notCanonical),
    ]

    static let indefinite = [
        CBORRefusal("5f4101ff", .notCanonical), CBORRefusal("7f6161ff", .notCanonical),
        CBORRefusal("9f01ff", .notCanonical), CBORRefusal("bf0101ff", .notCanonical),
        CBORRefusal("ff", .unexpectedType), CBORRefusal("819fff", .notCanonical, at: 1),
    ]

    static let keys = [
        CBORRefusal("a202010101", .keysOutOfOrder, at: 3), CBORRefusal("a201010102", .keysOutOfOrder, at: 3),
        CBORRefusal("a2616201 616101", .keysOutOfOrder, at: 4),
        CBORRefusal("a26261610161 6201", .keysOutOfOrder, at: 5),
        CBORRefusal("a220010101", .keysOutOfOrder, at: 3),
        CBORRefusal("81a202010101", .keysOutOfOrder, at: 4),
    ]

    static let text = [
        CBORRefusal("61ff", .invalidText), CBORRefusal("62c328", .invalidText),
        CBORRefusal("62c080", .invalidText),
        CBORRefusal("63eda080", .invalidText), CBORRefusal("64f4908080", .invalidText),
        CBORRefusal("8261 61 61 80", .invalidText, at: 3),
    ]

    static let reals = [
        CBORRefusal("fa3f800000", .notCanonical), CBORRefusal("fb3ff8000000000000", .notCanonical),
        CBORRefusal("fa00000000", .notCanonical), CBORRefusal("fb40f86a0000000000", .notCanonical),
        CBORRefusal("fa7f800000", .notCanonical), CBORRefusal("fb7ff0000000000000", .notCanonical),
        CBORRefusal("f97e01", .notCanonical), CBORRefusal("f9fe00", .notCanonical),
        CBORRefusal("f97c01", .notCanonical),
        CBORRefusal("fa7fc00000", .notCanonical), CBORRefusal("fb7ff8000000000000", .notCanonical),
    ]

    static let simple = [
        CBORRefusal("f7", .unexpectedType), CBORRefusal("e0", .unexpectedType),
        CBORRefusal("f3", .unexpectedType),
        CBORRefusal("f8ff", .unexpectedType), CBORRefusal("f814", .unexpectedType),
        CBORRefusal("fc", .unexpectedType),
    ]

    static let lengths = [
        CBORRefusal("", .truncated), CBORRefusal("18", .truncated), CBORRefusal("8118", .truncated, at: 1),
        CBORRefusal("1903", .truncated), CBORRefusal("f97e", .truncated), CBORRefusal("fb00", .truncated),
        CBORRefusal("42 00", .truncated), CBORRefusal("6261", .truncated), CBORRefusal("82 01", .truncated),
        CBORRefusal("a101", .truncated), CBORRefusal("c1", .truncated, at: 1),
        CBORRefusal("5b7fffffffffffffff", .truncated), CBORRefusal("9a0007ffff", .truncated),
        CBORRefusal("ba0007ffff", .truncated), CBORRefusal("7bffffffffffffffff", .outOfRange),
        CBORRefusal("0000", .trailingBytes, at: 1), CBORRefusal("8001", .trailingBytes, at: 1),
    ]

    static let all = heads + indefinite + keys + text + reals + simple + lengths
}

@Suite struct `Bytes that are not deterministic CBOR` {
    @Test(arguments: CBORRefusal.all)
    func `are refused with the offset of the error when they are skipped`(_ refusal: CBORRefusal) {
        let error = CBORReader.refusalUnread(of: [UInt8](hex: refusal.hex)[...])
        #expect(error == CBORError(refusal.reason, at: refusal.offset))
    }

    @Test(arguments: CBORRefusal.all)
    func `are refused when they are read as a value`(_ refusal: CBORRefusal) {
        // The offset counts from where reading began, not from the array below it.
        let bytes = [0x00] + [UInt8](hex: refusal.hex)
        #expect(CBORReader.refusalAsValue(of: bytes[1...]) == CBORError(refusal.reason, at: refusal.offset))
    }

    @Test(arguments: [
        CBORRefusal("d90102820201", .keysOutOfOrder), CBORRefusal("d90102820101", .keysOutOfOrder),
        CBORRefusal("d8254101", .outOfRange), CBORRefusal("c101", .unexpectedType, at: 1),
        CBORRefusal("c201", .unexpectedType), CBORRefusal("d82541", .truncated, at: 2),
    ])
    func `are refused if a tag's content has the wrong type or value`(_ refusal: CBORRefusal) {
        let error = CBORReader.refusalAsValue(of: [UInt8](hex: refusal.hex)[...])
        #expect(error == CBORError(refusal.reason, at: refusal.offset))
    }

    @Test(arguments: Seeds.first(20))
    func `are refused, as any value is that is cut off`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bytes = generator.value(depth: 4).encoded
        for count in bytes.indices {
            #expect(CBORReader.refusalUnread(of: bytes[..<count])?.reason == .truncated)
            #expect(CBORReader.refusalAsValue(of: bytes[..<count]) != nil)
        }
    }

    /// The ways of nesting: the bytes of a level, and the number of levels that it counts for.
    @Test(arguments: [("81", 1), ("a100", 1), ("c1", 1), ("d9010281", 2)])
    func `are refused if nested too deeply, when read and when skipped`(_ opening: String, _ levels: Int) {
        let head = [UInt8](hex: opening)
        for depth in [Limits.nestingDepth - 2, Limits.nestingDepth, Limits.nestingDepth + 2, 100_000] {
            let bytes = Array(repeatElement(head, count: depth / levels).joined()) + [UInt8](hex: "f90000")
            let expected: CBORError.Reason? = depth <= Limits.nestingDepth ? nil : .tooDeep
            #expect(CBORReader.refusalUnread(of: bytes[...])?.reason == expected)
            guard opening != "c1" else { continue }
            #expect(CBORReader.refusalAsValue(of: bytes[...])?.reason == expected)
        }
    }

    @Test(arguments: Seeds.first(10))
    func `never crash the reader, and accepted bytes equal their encoding`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10_000 {
            let bytes = generator.bytes(0...24)
            var reader = CBORReader(bytes)
            guard let value = try? PropertyValue(from: &reader) else { continue }
            let read = bytes[..<reader.offset]
            #expect(CBORReader.refusalUnread(of: read) == nil)
            #expect(value.encoded == Array(read))
        }
    }

    @Test func `use no memory for announced array elements that are missing`() async {
        // In a process of its own, where no other test uses memory meanwhile.
        await #expect(processExitsWith: .success) {
            // Thirty arrays, each of which claims to hold as many values as there are bytes.
            let lie = [UInt8](hex: "9a0007ff00")
            let bytes = Array(repeatElement(lie, count: 30).joined()) + [UInt8](repeating: 0, count: 524_000)
            let before = Memory.peakKilobytes
            precondition(CBORReader.refusalAsValue(of: bytes[...])?.reason == .truncated, "a lie is refused")
            precondition(Memory.peakKilobytes - before < 32 << 10, "a lie takes no memory")
        }
    }
}
