import BatonCore

/// Reads JSON as programs write it: one value of RFC 8259, whose whole numbers stay whole.
///
/// Whatever the bytes are, it ends with a value or with an error that says where it stopped. No key may stand twice.
struct JSONReader {
    private let bytes: [UInt8]
    private var place = 0

    /// How deep values may be nested, so that no text exhausts the stack.
    static let depth = 64

    /// The one value of a text in UTF-8.
    static func read(_ bytes: [UInt8]) throws(JSONError) -> JSON {
        var reader = JSONReader(bytes: bytes)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.place == bytes.count else { throw reader.error("there is more behind the one value") }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        guard depth < Self.depth else { throw error("it is nested more than \(Self.depth) deep") }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return .object(try members(depth: depth))
        case UInt8(ascii: "["): return .array(try elements(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case let byte? where byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte:
            return try number()
        case nil: throw error("a value is missing")
        default: throw error("this begins no value")
        }
    }

    private mutating func members(depth: Int) throws(JSONError) -> [JSON.Member] {
        var members: [JSON.Member] = [], keys: Set<String> = []
        try list(until: "}") { (reader) throws(JSONError) in
            guard reader.next == UInt8(ascii: "\"") else {
                throw reader.error("a key in quotation marks is missing")
            }
            let key = try reader.string()
            guard keys.insert(key).inserted else { throw reader.error("a key stands twice") }
            reader.skipSpace()
            guard reader.take(":") else { throw reader.error("a colon is missing") }
            members.append(JSON.Member(key, try reader.value(depth: depth + 1)))
        }
        return members
    }

    private mutating func elements(depth: Int) throws(JSONError) -> [JSON] {
        var elements: [JSON] = []
        try list(until: "]") { (reader) throws(JSONError) in
            elements.append(try reader.value(depth: depth + 1))
        }
        return elements
    }

    /// Reads what stands between brackets, with commas between.
    private mutating func list(
        until end: Unicode.Scalar, _ element: (inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        place += 1
        skipSpace()
        if take(end) { return }
        while true {
            skipSpace()
            try element(&self)
            skipSpace()
            if take(end) { return }
            guard take(",") else { throw error("a comma, or `\(end)`, is missing") }
        }
    }

    private mutating func word(_ word: String, _ value: JSON) throws(JSONError) -> JSON {
        guard bytes[place...].starts(with: word.utf8) else { throw error("this begins no value") }
        place += word.utf8.count
        return value
    }

    private mutating func number() throws(JSONError) -> JSON {
        let start = place
        _ = take("-")
        if !take("0") { try digits() }
        var isWhole = true
        if take(".") {
            isWhole = false
            try digits()
        }
        if take("e") || take("E") {
            isWhole = false
            if !take("+") { _ = take("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        if isWhole, let number = Int64(text) { return .integer(number) }
        guard let number = Double(text), number.isFinite else { throw error("this number is too large") }
        return .real(number)
    }

    private mutating func digits() throws(JSONError) {
        let start = place
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { place += 1 }
        guard place > start else { throw error("a digit is missing") }
    }

    // MARK: Texts

    private mutating func string() throws(JSONError) -> String {
        place += 1
        var text: [UInt8] = []
        while true {
            guard let byte = next else { throw error("unterminated text") }
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw error("a text is not UTF-8")
                }
                return string
            case UInt8(ascii: "\\"): text += Array(String(try escaped()).utf8)
            case ..<0x20: throw error("a control character stands in a text")
            default: text.append(byte)
            }
        }
    }

    /// What stands behind a backslash.
    private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
        guard let byte = next else { throw error("unterminated text") }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let unit = try hexadecimal()
            if let scalar = Unicode.Scalar(unit) { return scalar }
            // Beyond the first plane a character has two halves, the upper one first.
            guard 0xd800...0xdbff ~= unit, take("\\"), take("u") else { throw error("half a character") }
            let low = try hexadecimal()
            guard 0xdc00...0xdfff ~= low,
                let scalar = Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
            else { throw error("half a character") }
            return scalar
        default: throw error("there is no such escape")
        }
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                throw error("four hexadecimal digits are missing")
            }
            place += 1
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    // MARK: Bytes

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || 0x9...0xa ~= byte || byte == 0xd { place += 1 }
    }

    private func error(_ text: String) -> JSONError { JSONError("\(text) (byte \(place + 1))") }
}

/// Why a program's text is not what was expected, in words.
package struct JSONError: Error, Equatable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }
}
