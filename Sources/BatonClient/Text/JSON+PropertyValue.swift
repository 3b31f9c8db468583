package import BatonCore

extension JSON {
    /// A value of an activity.
    ///
    /// What JSON has no form for is an object with one key that begins with a dollar sign.
    package init(_ value: PropertyValue) {
        switch value {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .real(let value):
            self = value.isFinite ? .real(value) : Self.marked("real", .string(value.description))
        case .string(let value): self = .string(value)
        case .data(let bytes): self = Self.marked("data", .string(Base64.encode(bytes)))
        case .date(let seconds): self = Self.marked("date", .string(Self.date(seconds)))
        case .url(let text): self = Self.marked("url", .string(text))
        case .uuid(let bytes): self = Self.marked("uuid", .string(Self.uuid(bytes)))
        case .array(let values): self = .array(values.map { JSON($0) })
        case .set(let values): self = Self.marked("set", .array(values.inOrder.map { JSON($0) }))
        case .dictionary(let pairs): self.init(pairs)
        }
    }

    /// A dictionary: an object where every key is a string that can't be taken for one of ours, else a list of pairs.
    package init(_ pairs: [PropertyValue: PropertyValue]) {
        let members = pairs.compactMap { pair in pair.key.string.map { Member($0, JSON(pair.value)) } }
        if members.count == pairs.count, !members.contains(where: { $0.key.hasPrefix("$") }) {
            self = .object(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
        } else {
            let list = pairs.keys.inOrder.map { key in
                JSON.array([JSON(key), pairs[key].map { JSON($0) } ?? .null])
            }
            self = Self.marked("pairs", .array(list))
        }
    }

    private static func marked(_ name: String, _ value: JSON) -> JSON { .object([Member("$" + name, value)]) }

    /// The date in ISO 8601, or the bare number where it is beyond any calendar.
    private static func date(_ seconds: Double) -> String {
        guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else {
            return seconds.description
        }
        return CivilTime(WallTime(milliseconds: milliseconds)).text
    }

    /// The usual five groups of hexadecimal digits.
    private static func uuid(_ bytes: [UInt8]) -> String {
        var text = ""
        for (place, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(place) { text += "-" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return text
    }
}

extension Collection<PropertyValue> {
    /// The values in the order of their encodings, which is the same in every process.
    fileprivate var inOrder: [PropertyValue] {
        map { (value: $0, encoded: $0.encoded) }
            .sorted { $0.encoded.lexicographicallyPrecedes($1.encoded) }
            .map(\.value)
    }
}

/// Bytes as text, as RFC 4648 says.
enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text of these bytes, filled up with `=`.
    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<Swift.min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
            for place in 0..<4 {
                text.append(
                    place <= group.count ? alphabet[Int(bits >> (18 - 6 * place) & 63)] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that such a text stands for; nothing if it is none.
    static func decode(_ text: String) -> [UInt8]? {
        let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        let filling = text.utf8.dropFirst(digits.count)
        guard text.utf8.count % 4 == 0, filling.count <= 2,
            filling.allSatisfy({ $0 == UInt8(ascii: "=") })
        else { return nil }
        var (bytes, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
        bytes.reserveCapacity(text.utf8.count / 4 * 3)
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            (bits, count) = (bits << 6 | value, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
