import BatonCore
import Support
import Testing

/// An example of RFC 8949, appendix A, that is deterministic and of a type that we use.
struct CBORVector: CustomStringConvertible, Sendable {
    let hex: String
    let value: PropertyValue

    init(_ hex: String, _ value: PropertyValue) { (self.hex, self.value) = (hex, value) }

    var description: String { hex }

    static let integers: [CBORVector] = [
        CBORVector("00", .integer(0)), CBORVector("01", .integer(1)), CBORVector("0a", .integer(10)),
        CBORVector("17", .integer(23)), CBORVector("1818", .integer(24)), CBORVector("1819", .integer(25)),
        CBORVector("1864", .integer(100)), CBORVector("1903e8", .integer(1000)),
        CBORVector("1a000f4240", .integer(1_000_000)),
        CBORVector("1b000000e8d4a51000", .integer(1_000_000_000_000)),
        CBORVector("20", .integer(-1)), CBORVector("29", .integer(-10)), CBORVector("3863", .integer(-100)),
        CBORVector("3903e7", .integer(-1000)), CBORVector("1b7fffffffffffffff", .integer(.max)),
        CBORVector("3b7fffffffffffffff", .integer(.min)),
    ]

    static let reals: [CBORVector] = [
        CBORVector("f90000", .real(0)), CBORVector("f98000", .real(-0.0)), CBORVector("f93c00", .real(1)),
        CBORVector("fb3ff199999999999a", .real(1.1)), CBORVector("f93e00", .real(1.5)),
        CBORVector("f97bff", .real(65_504)), CBORVector("fa47c35000", .real(100_000)),
        CBORVector("fa7f7fffff", .real(3.4028234663852886e+38)),
        CBORVector("fb7e37e43c8800759c", .real(1.0e+300)),
        CBORVector("f90001", .real(5.960464477539063e-8)), CBORVector("f90400", .real(0.00006103515625)),
        CBORVector("f9c400", .real(-4)), CBORVector("fbc010666666666666", .real(-4.1)),
        CBORVector("f97c00", .real(.infinity)), CBORVector("f97e00", .real(.nan)),
        CBORVector("f9fc00", .real(-.infinity)),
    ]

    static let others: [CBORVector] = [
        CBORVector("f4", .boolean(false)), CBORVector("f5", .boolean(true)), CBORVector("f6", .null),
        CBORVector("c1fb41d452d9ec200000", .date(1_363_896_240.5)),
        CBORVector("d82076687474703a2f2f7777772e6578616d706c652e636f6d", .url("http://www.example.com")),
        CBORVector("40", .data([])), CBORVector("4401020304", .data([1, 2, 3, 4])),
        CBORVector("60", .string("")), CBORVector("6161", .string("a")),
        CBORVector("6449455446", .string("IETF")),
        CBORVector("62225c", .string("\"\\")), CBORVector("62c3bc", .string("\u{fc}")),
        CBORVector("63e6b0b4", .string("\u{6c34}")), CBORVector("64f0908591", .string("\u{10151}")),
        CBORVector("80", .array([])),
        CBORVector("83010203", .array([.integer(1), .integer(2), .integer(3)])),
        CBORVector(
            "8301820203820405",
            .array([
                .integer(1), .array([.integer(2), .integer(3)]), .array([.integer(4), .integer(5)]),
            ])),
        CBORVector(
            "98190102030405060708090a0b0c0d0e0f101112131415161718181819",
            .array((1...25).map { .integer($0) })),
        CBORVector("a0", .dictionary([:])),
        CBORVector("a201020304", .dictionary([.integer(1): .integer(2), .integer(3): .integer(4)])),
        CBORVector(
            "a26161016162820203",
            .dictionary([.string("a"): .integer(1), .string("b"): .array([.integer(2), .integer(3)])])),
        CBORVector("826161a161626163", .array([.string("a"), .dictionary([.string("b"): .string("c")])])),
        CBORVector(
            "a56161614161626142616361436164614461656145",
            .dictionary([
                .string("a"): .string("A"), .string("b"): .string("B"), .string("c"): .string("C"),
                .string("d"): .string("D"), .string("e"): .string("E"),
            ])),
    ]
}

@Suite struct `Deterministic CBOR` {
    @Test(arguments: CBORVector.integers + CBORVector.reals + CBORVector.others)
    func `the examples of RFC 8949 are written and read`(_ vector: CBORVector) throws {
        let bytes = [UInt8](hex: vector.hex)
        #expect(vector.value.encoded == bytes)
        let read = try CBORReader.whole(bytes[...]) { (reader) throws(CBORError) in
            try PropertyValue(from: &reader)
        }
        #expect(read == vector.value)
        var reader = CBORReader(bytes)
        try reader.skip()
        #expect(reader.offset == bytes.count)
    }

    @Test func `the largest numbers of the format are read only into types that hold them`() throws {
        var reader = CBORReader([UInt8](hex: "1bffffffffffffffff"))
        let largest = try reader.unsigned()
        #expect(largest == .max)
        for hex in ["1bffffffffffffffff", "3bffffffffffffffff"] {
            let error = CBORReader.refusal(of: [UInt8](hex: hex)[...]) { (reader) throws(CBORError) in
                _ = try reader.integer()
            }
            #expect(error == CBORError(.outOfRange, at: 0))
        }
    }
}
