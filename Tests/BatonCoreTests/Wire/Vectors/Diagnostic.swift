import Support

/// Deterministic CBOR as text, in the diagnostic notation of RFC 8949, section 8.
struct Diagnostic {
    private let bytes: [UInt8]
    private var place = 0

    /// Returns the text of bytes, which must be one whole value.
    static func text(of bytes: [UInt8]) -> String {
        var reader = Diagnostic(bytes: bytes)
        return reader.value()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func value() -> String {
        let (major, short) = (bytes[place] >> 5, bytes[place] & 31)
        guard major < 7 else { return simple(short) }
        let argument = argument(short)
        switch major {
        case 0: return "\(argument)"
        case 1: return "\(-1 - Int128(argument))"
        case 2: return "h'\(take(argument).hex)'"
        case 3: return Vector.quoted(String(decoding: take(argument), as: UTF8.self))
        case 4: return "[" + (0..<argument).map { _ in value() }.joined(separator: ", ") + "]"
        case 5:
            return "{" + (0..<argument).map { _ in "\(value()): \(value())" }.joined(separator: ", ") + "}"
        default: return "\(argument)(\(value()))"
        }
    }

    private mutating func argument(_ short: UInt8) -> UInt64 {
        place += 1
        guard short >= 24 else { return UInt64(short) }
        return take(1 << UInt64(short - 24)).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func take(_ count: UInt64) -> [UInt8] {
        defer { place += Int(count) }
        return Array(bytes[place..<place + Int(count)])
    }

    private mutating func simple(_ short: UInt8) -> String {
        if let word = [20: "false", 21: "true", 22: "null"][short] {
            place += 1
            return word
        }
        let bits = argument(short)
        let number =
            switch short {
            case 25: Double(Float16(bitPattern: UInt16(bits)))
            case 26: Double(Float(bitPattern: UInt32(bits)))
            default: Double(bitPattern: bits)
            }
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        return "\(number)"
    }
}
