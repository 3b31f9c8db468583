extension JSON5Reader {
    /// The text in quotation marks that begins here.
    mutating func string() throws(ConfigurationError) -> String {
        let start = place
        let mark = next()
        var text = ""
        while let scalar = peek(), scalar != mark {
            switch scalar {
            case "\n", "\r": throw ConfigurationError(start, "this text does not end on its line")
            case "\\": try escape(into: &text)
            default:
                text.unicodeScalars.append(scalar)
                next()
            }
        }
        guard next() != nil else { throw ConfigurationError(start, "unterminated text") }
        return text
    }

    /// What stands behind a backslash.
    private mutating func escape(into text: inout String) throws(ConfigurationError) {
        let start = place
        next()
        guard let scalar = next() else { throw ConfigurationError(start, "nothing stands behind this \\") }
        switch scalar {
        case "b": text += "\u{8}"
        case "f": text += "\u{c}"
        case "n": text += "\n"
        case "r": text += "\r"
        case "t": text += "\t"
        case "v": text += "\u{b}"
        case "0" where peek()?.isDigit != true: text += "\0"
        case "x": text.unicodeScalars.append(try Self.scalar(try digits(2, since: start), since: start))
        case "u": text.unicodeScalars.append(try unicode(since: start))
        // The text goes on in the next line.
        case "\r": if peek() == "\n" { next() }
        case "\n", "\u{2028}", "\u{2029}": break
        case _ where scalar.isDigit: throw ConfigurationError(start, "a digit may not stand behind \\")
        default: text.unicodeScalars.append(scalar)
        }
    }

    /// One character of four hexadecimal digits, or of two times four.
    private mutating func unicode(since start: TextPlace) throws(ConfigurationError) -> Unicode.Scalar {
        let first = try digits(4, since: start)
        guard 0xd800...0xdbff ~= first else { return try Self.scalar(first, since: start) }
        guard peek() == "\\", peek(1) == "u" else { return try Self.scalar(first, since: start) }
        next()
        next()
        let second = try digits(4, since: start)
        guard 0xdc00...0xdfff ~= second else { return try Self.scalar(first, since: start) }
        return try Self.scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00), since: start)
    }

    private static func scalar(_ number: UInt32, since start: TextPlace) throws(ConfigurationError)
        -> Unicode.Scalar
    {
        guard let scalar = Unicode.Scalar(number) else {
            throw ConfigurationError(start, "this is half of a character")
        }
        return scalar
    }

    private mutating func digits(_ count: Int, since start: TextPlace) throws(ConfigurationError) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<count {
            guard let digit = peek().flatMap({ Character($0).hexDigitValue }) else {
                throw ConfigurationError(start, "\(count) hexadecimal digits are missing here")
            }
            number = number << 4 | UInt32(digit)
            next()
        }
        return number
    }

    /// The number that begins here.
    mutating func number() throws(ConfigurationError) -> Double {
        let start = place
        var digits = ""
        while let scalar = peek(), scalar.isInWord || scalar == "." || scalar == "+" || scalar == "-" {
            digits.unicodeScalars.append(scalar)
            next()
        }
        var rest = Substring(digits)
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest.removeFirst() }
        guard let number = Self.magnitude(rest) else {
            throw ConfigurationError(start, "`\(digits)` is no number")
        }
        return isNegative ? -number : number
    }

    /// A number without a sign.
    private static func magnitude(_ text: Substring) -> Double? {
        if text == "Infinity" { return .infinity }
        if text == "NaN" { return .nan }
        if text.hasPrefix("0x") || text.hasPrefix("0X") {
            let digits = text.dropFirst(2)
            guard digits.utf8.first != UInt8(ascii: "+"), digits.utf8.first != UInt8(ascii: "-") else {
                return nil
            }
            return UInt64(digits, radix: 16).map { Double($0) }
        }
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        let places = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let (whole, fraction) = (places[0], places.count > 1 ? places[1] : "")
        let digits = whole.unicodeScalars + Array(fraction.unicodeScalars)
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit), whole.count < 2 || whole.first != "0" else {
            return nil
        }
        var exponent = parts.count > 1 ? parts[1] : "0"
        let sign = exponent.first == "-" ? "-" : ""
        if exponent.first == "-" || exponent.first == "+" { exponent.removeFirst() }
        guard !exponent.isEmpty, exponent.unicodeScalars.allSatisfy(\.isDigit) else { return nil }
        return Double(
            "\(whole.isEmpty ? "0" : whole).\(fraction.isEmpty ? "0" : fraction)e\(sign)\(exponent)")
    }
}
