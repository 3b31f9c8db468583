/// Reads JSON5: JSON with comments, trailing commas, keys without quotation marks, and texts in single ones.
///
/// All of https://spec.json5.org, but that a key without quotation marks has no escapes, and that a key may not stand
/// twice. Whatever the bytes are, it ends with a value or with an error that has a place.
package struct JSON5Reader {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    /// Where the next character stands.
    var place = TextPlace()

    /// How deep values may be nested, so that no text exhausts the stack.
    package static let depth = 16

    /// The one value of a text in UTF-8; nothing if there are only spaces and comments.
    package static func read(_ bytes: [UInt8]) throws(ConfigurationError) -> JSON5Value? {
        var reader = JSON5Reader(try scalars(bytes))
        try reader.skipSpace()
        guard reader.peek() != nil else { return nil }
        let value = try reader.value(depth: 0)
        try reader.skipSpace()
        if let more = reader.peek() {
            throw reader.error("there is more behind the one value: \(spelled(more))")
        }
        return value
    }

    private init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    /// The characters of the bytes, which must be UTF-8.
    private static func scalars(_ bytes: [UInt8]) throws(ConfigurationError) -> [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(bytes.count)
        var (decoder, rest) = (UTF8(), bytes.makeIterator())
        while true {
            switch decoder.decode(&rest) {
            case .scalarValue(let scalar): scalars.append(scalar)
            case .emptyInput: return scalars
            case .error:
                var reader = JSON5Reader(scalars)
                while reader.next() != nil {}
                throw reader.error("this is no text in UTF-8")
            }
        }
    }

    // MARK: Characters

    /// The next character, or one behind it.
    func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
        index + ahead < scalars.count ? scalars[index + ahead] : nil
    }

    /// Goes past the next character.
    @discardableResult mutating func next() -> Unicode.Scalar? {
        guard let scalar = peek() else { return nil }
        index += 1
        if scalar == "\n" || scalar == "\r" && peek() != "\n" {
            (place.line, place.column) = (place.line + 1, 1)
        } else {
            place.column += 1
        }
        return scalar
    }

    /// Goes past spaces, line ends and comments.
    mutating func skipSpace() throws(ConfigurationError) {
        while let scalar = peek() {
            switch scalar {
            case "/": try skipComment()
            case "\t", "\n", "\u{b}", "\u{c}", "\r", " ", "\u{a0}", "\u{feff}", "\u{2028}", "\u{2029}": next()
            case _ where scalar.properties.generalCategory == .spaceSeparator: next()
            default: return
            }
        }
    }

    private mutating func skipComment() throws(ConfigurationError) {
        let start = place
        next()
        switch peek() {
        case "/": while let scalar = peek(), !scalar.endsLine { next() }
        case "*":
            next()
            while peek() != "*" || peek(1) != "/" {
                guard next() != nil else { throw ConfigurationError(start, "unterminated comment") }
            }
            next()
            next()
        default: throw ConfigurationError(start, "a comment begins with // or /*")
        }
    }

    /// What is wrong with what stands here.
    func error(_ text: String) -> ConfigurationError { ConfigurationError(place, text) }

    /// A character as an error shows it.
    static func spelled(_ scalar: Unicode.Scalar?) -> String {
        guard let scalar else { return "the end of the text" }
        return scalar.value < 0x20 || scalar.value == 0x7f
            ? "the character \\u{\(String(scalar.value, radix: 16))}" : "`\(scalar)`"
    }
}

extension Unicode.Scalar {
    /// True for what ends a line in JSON5.
    var endsLine: Bool { self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}" }

    /// True for what a key without quotation marks may have.
    var isInWord: Bool {
        if value < 0x80 {
            return 0x30...0x39 ~= value || 0x41...0x5a ~= value || 0x61...0x7a ~= value || self == "_"
                || self == "$"
        }
        return properties.isAlphabetic || self == "\u{200c}" || self == "\u{200d}"
    }

    /// True for the ten digits.
    var isDigit: Bool { 0x30...0x39 ~= value }
}
