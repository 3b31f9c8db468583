/// Reads JSON and JSON5, which is JSON with comments, trailing commas, bare keys and single quotation marks.
///
/// JSON is RFC 8259. JSON5 is https://spec.json5.org, except that a bare key can't have escapes. In both, an object
/// must not have the same key twice. Every input gives a value, or an error with a line and column.
package struct JSONReader {
    private enum Dialect { case json, json5 }

    /// The text, which is valid UTF-8.
    private let bytes: [UInt8]
    private let dialect: Dialect
    private var index = 0
    /// The last place that was requested, and its index; counting to the next place begins there.
    private var lastPlace = TextPlace()
    private var lastIndex = 0

    /// The greatest depth of nested values, so that no text exhausts the stack.
    package static let depth = 64

    /// Reads JSON text, which must contain one value.
    package static func json(_ bytes: [UInt8]) throws(TextError) -> LocatedJSON {
        var reader = try JSONReader(bytes, .json)
        return try reader.document()
    }

    /// Reads JSON5 text; returns nil if the text consists only of spaces and comments.
    package static func json5(_ bytes: [UInt8]) throws(TextError) -> LocatedJSON? {
        var reader = try JSONReader(bytes, .json5)
        try reader.skipSpace()
        return reader.next == nil ? nil : try reader.document()
    }

    private init(_ bytes: [UInt8], _ dialect: Dialect) throws(TextError) {
        (self.bytes, self.dialect) = (bytes, dialect)
        guard String(validating: bytes, as: UTF8.self) == nil else { return }
        var (decoder, rest) = (UTF8(), bytes.makeIterator())
        while case .scalarValue(let scalar) = decoder.decode(&rest) { index += UTF8.width(scalar) }
        throw error("this is not UTF-8")
    }

    private mutating func document() throws(TextError) -> LocatedJSON {
        try skipSpace()
        let value = try value(depth: 0)
        try skipSpace()
        guard next == nil else { throw error("expected the end of the text, found \(found)") }
        return value
    }

    // MARK: Values

    /// Reads a value at this depth of nesting.
    private mutating func value(depth: Int) throws(TextError) -> LocatedJSON {
        let place = here()
        guard depth < Self.depth else { throw error("values are nested more than \(Self.depth) deep") }
        let content: LocatedJSON.Content
        switch next {
        case "{": content = .object(try members(depth: depth))
        case "[": content = .array(try elements(depth: depth))
        case let scalar? where isQuotationMark(scalar): content = .string(try string())
        case let scalar? where scalar.isDigit || "+-.".unicodeScalars.contains(scalar): content = try number()
        case let scalar? where scalar.isInWord: content = try word()
        default: throw error("expected a value, found \(found)")
        }
        return LocatedJSON(content: content, place: place)
    }

    private mutating func elements(depth: Int) throws(TextError) -> [LocatedJSON] {
        var elements: [LocatedJSON] = []
        try list("[", "]") { (reader) throws(TextError) in
            elements.append(try reader.value(depth: depth + 1))
        }
        return elements
    }

    private mutating func members(depth: Int) throws(TextError) -> [LocatedJSON.Member] {
        var members: [LocatedJSON.Member] = []
        var places: [String: TextPlace] = [:]
        try list("{", "}") { (reader) throws(TextError) in
            let place = reader.here()
            let key = try reader.key()
            if let first = places.updateValue(place, forKey: key) {
                throw TextError(place, "\(Self.shown(key)) is already defined on line \(first.line)")
            }
            try reader.skipSpace()
            guard reader.take(":") else {
                throw reader.error("expected a colon after \(Self.shown(key)), found \(reader.found)")
            }
            try reader.skipSpace()
            members.append(.init(key: key, place: place, value: try reader.value(depth: depth + 1)))
        }
        return members
    }

    /// Reads a list of elements between two brackets, with a comma after each element but the last.
    private mutating func list(
        _ opening: Unicode.Scalar, _ closing: Unicode.Scalar,
        _ element: (inout JSONReader) throws(TextError) -> Void
    ) throws(TextError) {
        let start = here()
        index += 1
        try skipSpace()
        while !take(closing) {
            guard next != nil else { throw TextError(start, "missing \(closing) for this \(opening)") }
            try element(&self)
            try skipSpace()
            let comma = here()
            if take(",") {
                try skipSpace()
                guard dialect == .json5 || next != closing else {
                    throw TextError(comma, "a comma can't precede \(closing)")
                }
            } else if let next, next != closing {
                throw error("expected a comma or \(closing), found \(found)")
            }
        }
    }

    private mutating func key() throws(TextError) -> String {
        if let next, isQuotationMark(next) { return try string() }
        guard dialect == .json5, let next, next.isInWord, !next.isDigit else {
            throw error("expected a key\(dialect == .json ? " in quotation marks" : ""), found \(found)")
        }
        return token { $0.isInWord }
    }

    /// Reads a value that is written as a word, such as `true`.
    private mutating func word() throws(TextError) -> LocatedJSON.Content {
        let place = here()
        let word = token { $0.isInWord }
        switch word {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "null": return .null
        case "Infinity" where dialect == .json5: return .real(.infinity)
        case "NaN" where dialect == .json5: return .real(.nan)
        default: throw TextError(place, "a text such as \(Self.shown(word)) needs quotation marks")
        }
    }

    // MARK: Numbers

    private mutating func number() throws(TextError) -> LocatedJSON.Content {
        let place = here()
        let text = token { $0.isInWord || "+-.".unicodeScalars.contains($0) }
        var rest = text[...]
        let isNegative = rest.first == "-"
        if isNegative || dialect == .json5 && rest.first == "+" { rest.removeFirst() }
        let special = dialect == .json5 ? special(rest, isNegative) : nil
        guard let number = special ?? decimal(rest, isNegative) else {
            throw TextError(place, "\(Self.shown(text)) is not a number")
        }
        if special == nil, case .real(let value) = number, value.isInfinite {
            throw TextError(place, "this number is too large")
        }
        return number
    }

    /// Returns a number in a form that only JSON5 has: `Infinity`, `NaN`, or hexadecimal digits.
    private func special(_ text: Substring, _ isNegative: Bool) -> LocatedJSON.Content? {
        if text == "Infinity" { return .real(isNegative ? -.infinity : .infinity) }
        if text == "NaN" { return .real(.nan) }
        guard text.hasPrefix("0x") || text.hasPrefix("0X") else { return nil }
        let digits = text.dropFirst(2)
        // `UInt64` would accept a sign, so the first character must be a digit.
        guard digits.first?.isHexDigit == true, let number = UInt64(digits, radix: 16) else { return nil }
        if let whole = Int64(exactly: number) { return .integer(isNegative ? -whole : whole) }
        return .real(isNegative ? -Double(number) : Double(number))
    }

    /// Returns a decimal number, as an integer if it has neither a fraction nor an exponent.
    private func decimal(_ text: Substring, _ isNegative: Bool) -> LocatedJSON.Content? {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        let places = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let (whole, fraction) = (places[0], places.count > 1 ? places[1] : "")
        guard whole.isDigits, fraction.isDigits, whole.count < 2 || whole.first != "0" else { return nil }
        let hasAll = !whole.isEmpty && (places.count == 1 || !fraction.isEmpty)
        guard hasAll || dialect == .json5 && !(whole.isEmpty && fraction.isEmpty) else { return nil }
        let sign = isNegative ? "-" : ""
        if parts.count == 1, places.count == 1, let number = Int64(sign + whole) { return .integer(number) }
        var exponent = parts.count > 1 ? parts[1] : "0"
        let exponentSign = exponent.first == "-" ? "-" : ""
        if exponent.first == "-" || exponent.first == "+" { exponent.removeFirst() }
        guard !exponent.isEmpty, exponent.isDigits else { return nil }
        let (filledWhole, filledFraction) = (whole.isEmpty ? "0" : whole, fraction.isEmpty ? "0" : fraction)
        return Double("\(sign)\(filledWhole).\(filledFraction)e\(exponentSign)\(exponent)").map { .real($0) }
    }

    // MARK: Texts

    private func isQuotationMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\"" || scalar == "'" && dialect == .json5
    }

    private mutating func string() throws(TextError) -> String {
        let start = here()
        let mark = bytes[index]
        index += 1
        var text: [UInt8] = []
        while index < bytes.count {
            switch bytes[index] {
            case mark:
                index += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(into: &text)
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                throw TextError(start, "a text must end on the line where it begins")
            case ..<0x20 where dialect == .json: throw error("a control character in a text must be escaped")
            case let byte:
                text.append(byte)
                index += 1
            }
        }
        throw TextError(start, "unterminated text")
    }

    /// Reads an escape: a backslash and the characters that belong to it.
    private mutating func escape(into text: inout [UInt8]) throws(TextError) {
        let start = here()
        index += 1
        guard let scalar = next else { throw TextError(start, "unterminated text") }
        skip()
        let meant: Unicode.Scalar
        switch scalar {
        case "\"", "\\", "/": meant = scalar
        case "b": meant = "\u{8}"
        case "f": meant = "\u{c}"
        case "n": meant = "\n"
        case "r": meant = "\r"
        case "t": meant = "\t"
        case "u": meant = try unicode(since: start)
        case _ where dialect == .json: throw TextError(start, "there is no escape \\\(scalar)")
        case "v": meant = "\u{b}"
        case "0" where next?.isDigit != true: meant = "\0"
        case "x": meant = try Self.scalar(try digits(2, since: start), since: start)
        // A backslash before a line end continues the text on the next line.
        case "\r":
            _ = take("\n")
            return
        case "\n", "\u{2028}", "\u{2029}": return
        case _ where scalar.isDigit: throw TextError(start, "a digit can't follow \\")
        default: meant = scalar
        }
        text += Array(String(meant).utf8)
    }

    /// Reads the digits after `\u`; a character beyond U+FFFF is written as two escapes, a surrogate pair.
    private mutating func unicode(since start: TextPlace) throws(TextError) -> Unicode.Scalar {
        let first = try digits(4, since: start)
        guard 0xd800...0xdbff ~= first, take("\\"), take("u") else {
            return try Self.scalar(first, since: start)
        }
        let second = try digits(4, since: start)
        guard 0xdc00...0xdfff ~= second else { return try Self.scalar(first, since: start) }
        return try Self.scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00), since: start)
    }

    private static func scalar(_ number: UInt32, since start: TextPlace) throws(TextError) -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(number) else {
            throw TextError(start, "this is half of a surrogate pair")
        }
        return scalar
    }

    private mutating func digits(_ count: Int, since start: TextPlace) throws(TextError) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<count {
            guard let digit = next.flatMap({ Character($0).hexDigitValue }) else {
                throw TextError(start, "expected \(count) hexadecimal digits")
            }
            number = number << 4 | UInt32(digit)
            skip()
        }
        return number
    }

    // MARK: Spaces

    private mutating func skipSpace() throws(TextError) {
        while let scalar = next {
            switch scalar {
            case " ", "\t", "\n", "\r": index += 1
            case "/" where dialect == .json5: try skipComment()
            case _ where dialect == .json5 && scalar.isSpaceInJSON5: skip()
            default: return
            }
        }
    }

    private mutating func skipComment() throws(TextError) {
        let start = here()
        index += 1
        if take("/") {
            while let scalar = next, !scalar.endsLine { skip() }
        } else if take("*") {
            while !bytes[index...].starts(with: "*/".utf8) {
                guard index < bytes.count else { throw TextError(start, "unterminated comment") }
                index += 1
            }
            index += 2
        } else {
            throw TextError(start, "a comment starts with // or /*")
        }
    }

    // MARK: Characters

    /// The next character; nil at the end of the text.
    private var next: Unicode.Scalar? {
        guard index < bytes.count else { return nil }
        if bytes[index] < 0x80 { return Unicode.Scalar(bytes[index]) }
        var (decoder, rest) = (UTF8(), bytes[index...].makeIterator())
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
        return scalar
    }

    /// Skips the next character.
    private mutating func skip() { index += next.map(UTF8.width) ?? 0 }

    /// Skips the next character if it is this ASCII character; returns whether it was skipped.
    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    /// Takes the characters up to the first one that does not belong to the token.
    private mutating func token(_ belongs: (Unicode.Scalar) -> Bool) -> String {
        let start = index
        while let scalar = next, belongs(scalar) { skip() }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Returns the present line and column.
    ///
    /// Counting continues at the last place, so that all calls together read the text only once.
    private mutating func here() -> TextPlace {
        lastPlace = place
        lastIndex = index
        return lastPlace
    }

    private var place: TextPlace {
        var place = lastPlace
        for current in lastIndex..<index {
            let byte = bytes[current]
            let isBeforeLineFeed = current + 1 < bytes.count && bytes[current + 1] == 0x0a
            if byte == 0x0a || byte == 0x0d && !isBeforeLineFeed {
                (place.line, place.column) = (place.line + 1, 1)
            } else if byte & 0xc0 != 0x80 {
                place.column += 1
            }
        }
        return place
    }

    // MARK: Errors

    /// An error at the present place.
    private func error(_ text: String) -> TextError { TextError(place, text) }

    /// The next character, in the form in which error messages show it.
    private var found: String {
        guard let next else { return "the end of the text" }
        return next.value < 0x20 || next.value == 0x7f
            ? "the character \\u{\(String(next.value, radix: 16))}" : "`\(next)`"
    }

    /// Returns the beginning of a text, in the form in which error messages show it.
    private static func shown(_ text: String) -> String {
        "`\(text.prefix(40))\(text.count > 40 ? "…" : "")`"
    }
}

extension Unicode.Scalar {
    /// Whether the character ends a line in JSON5.
    fileprivate var endsLine: Bool {
        self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}"
    }

    /// Whether the character is a space in JSON5 but not in JSON.
    fileprivate var isSpaceInJSON5: Bool {
        switch self {
        case "\u{b}", "\u{c}", "\u{a0}", "\u{feff}", "\u{2028}", "\u{2029}": true
        default: properties.generalCategory == .spaceSeparator
        }
    }

    /// Whether a key without quotation marks may contain the character.
    package var isInWord: Bool {
        if value < 0x80 {
            return 0x30...0x39 ~= value || 0x41...0x5a ~= value || 0x61...0x7a ~= value || self == "_"
                || self == "$"
        }
        return properties.isAlphabetic || self == "\u{200c}" || self == "\u{200d}"
    }

    /// Whether the character is one of the ten ASCII digits.
    package var isDigit: Bool { 0x30...0x39 ~= value }
}

extension Substring {
    /// Whether all characters are digits; true for an empty text.
    fileprivate var isDigits: Bool { unicodeScalars.allSatisfy(\.isDigit) }
}
