/// Parses the text of a query, by recursive descent.
///
///     query       = or
///     or          = and *( "||" and )
///     and         = term *( "&&" term )
///     term        = "!" term / "(" or ")" / "*" / range / comparison
///     range       = "InRange" "(" subject "," bound "," bound ")"
///     comparison  = subject ( relation / "!=" ) operand
///
/// The recursion is as deep as the nesting of the query. `Limits.queryDepth` limits it.
struct QueryParser {
    private let present: PresentTime
    private let text: String
    private let bytes: [UInt8]
    private var place = 0
    /// The number of levels of parentheses and `!` that enclose the current place.
    private var depth = 0
    /// The number of comparisons, words and wildcards so far.
    ///
    /// `Limits.queryParts` limits it.
    private(set) var parts = 0

    init(_ text: String, at present: PresentTime) {
        (self.text, self.present, bytes) = (text, present, Array(text.utf8))
    }

    /// Parses the whole query.
    mutating func parse() throws(QueryFailure) -> SearchQuery.Expression {
        guard bytes.count <= Limits.queryBytes else {
            throw failure(
                "a query of at most \(Limits.queryBytes) bytes", found: "\(bytes.count) bytes", at: 0)
        }
        let expression = try alternatives()
        guard next == nil else { throw failure("&&, || or the end of the query") }
        return expression
    }

    // MARK: Expressions

    private mutating func alternatives() throws(QueryFailure) -> SearchQuery.Expression {
        let first = try conjunction()
        var all = [first]
        while take("||") { all.append(try conjunction()) }
        return all.count == 1 ? first : .or(all)
    }

    private mutating func conjunction() throws(QueryFailure) -> SearchQuery.Expression {
        let first = try term()
        var all = [first]
        while take("&&") { all.append(try term()) }
        return all.count == 1 ? first : .and(all)
    }

    private mutating func term() throws(QueryFailure) -> SearchQuery.Expression {
        skipSpace()
        let start = place
        // `!=` can't begin a term. It is not read as `!`, so that the error message shows the whole symbol.
        if !begins(with: "!="), take("!") {
            try enter(at: start)
            defer { depth -= 1 }
            return .not(try term())
        }
        if take("(") {
            try enter(at: start)
            defer { depth -= 1 }
            let expression = try alternatives()
            guard take(")") else { throw failure("&&, || or )") }
            return expression
        }
        try count(1, at: start)
        if !begins(with: "**"), take("*") { return .all }
        let name = word
        if name.elementsEqual("InRange".utf8) {
            place += name.count
            if take("(") { return .range(try interval()) }
            place = start
        }
        return try comparison()
    }

    /// Enters a level of nesting, and throws if the query is nested too deeply.
    private mutating func enter(at start: Int) throws(QueryFailure) {
        depth += 1
        guard depth <= Limits.queryDepth else {
            throw failure(
                "at most \(Limits.queryDepth) levels of parentheses and “!”", found: "another one", at: start)
        }
    }

    /// Adds to the number of parts, and throws if there are too many.
    private mutating func count(_ more: Int, at start: Int) throws(QueryFailure) {
        parts += more
        guard parts <= Limits.queryParts else {
            throw failure(
                "at most \(Limits.queryParts) comparisons, words and wildcards", found: "another one",
                at: start)
        }
    }

    // MARK: Conditions

    private mutating func interval() throws(QueryFailure) -> SearchQuery.Interval {
        let subject = try subject()
        guard take(",") else { throw failure("a comma, and the smallest value") }
        let low = try bound(of: subject, "InRange")
        guard take(",") else { throw failure("a comma, and the largest value") }
        let high = try bound(of: subject, "InRange")
        guard take(")") else { throw failure(")") }
        return SearchQuery.Interval(subject: subject, low: low, high: high)
    }

    private mutating func comparison() throws(QueryFailure) -> SearchQuery.Expression {
        let subject = try subject()
        // `!=` is parsed as the negation of `==`. So every item meets exactly one of them, whatever values it has.
        if take("!=") { return .not(.comparison(try equality(of: subject))) }
        // Longer symbols are tried first, because `<` is also the beginning of `<=`.
        let relations = SearchQuery.Relation.allCases.sorted {
            $0.rawValue.utf8.count > $1.rawValue.utf8.count
        }
        guard let relation = relations.first(where: { take($0.rawValue) }) else {
            throw failure("==, !=, <, <=, > or >=")
        }
        guard relation != .equal else { return .comparison(try equality(of: subject)) }
        let operand = try bound(of: subject, relation.rawValue)
        return .comparison(SearchQuery.Comparison(subject: subject, relation: relation, operand: operand))
    }

    /// Parses the operand of `==` or `!=`.
    private mutating func equality(
        of subject: SearchQuery.Subject
    ) throws(QueryFailure) -> SearchQuery.Comparison {
        skipSpace()
        let start = place
        let operand = try operand()
        if case .anyText = subject, operand.isBound { throw failure(Self.onlyText, at: start) }
        return SearchQuery.Comparison(subject: subject, relation: .equal, operand: operand)
    }

    /// Parses an operand that must be a number or a date.
    private mutating func bound(
        of subject: SearchQuery.Subject, _ name: String
    ) throws(QueryFailure) -> SearchQuery.Operand {
        skipSpace()
        let start = place
        let operand = try operand()
        guard operand.isBound else {
            throw failure("a number or a date, because \(name) does not compare texts", at: start)
        }
        if case .anyText = subject { throw failure(Self.onlyText, at: start) }
        return operand
    }

    private static let onlyText = "a text in quotes with == or !=, because ** has only texts"

    private mutating func subject() throws(QueryFailure) -> SearchQuery.Subject {
        if take("**") { return .anyText }
        skipSpace()
        let name = String(decoding: word, as: UTF8.self)
        if let attribute = Attribute(queryName: name) {
            place += name.utf8.count
            return .attribute(attribute)
        }
        if let attribute = CustomAttribute(name: name) {
            place += name.utf8.count
            return .custom(attribute)
        }
        if let attribute = Self.property(ofFileMetadata: name) {
            throw failure("\(attribute.name), the name in Core Spotlight")
        }
        throw failure(name.isEmpty ? "an attribute, InRange, ( or !" : "the name of an attribute")
    }

    /// Returns the attribute for a name of file metadata, such as `title` for `kMDItemTitle`.
    private static func property(ofFileMetadata name: String) -> Attribute? {
        let prefix = "kMDItem"
        guard name.hasPrefix(prefix) else { return nil }
        let rest = name.dropFirst(prefix.count)
        return Attribute(queryName: rest)
            ?? Attribute(queryName: rest.prefix(1).lowercased() + rest.dropFirst())
    }

    // MARK: Operands

    private mutating func operand() throws(QueryFailure) -> SearchQuery.Operand {
        skipSpace()
        switch next {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .text(try quoted())
        case UInt8(ascii: "$"): return .moment(try time())
        case let byte? where byte.isDigit || byte.isSign: return .number(try number())
        case UInt8(ascii: "*"):
            place += 1
            return .anything
        default: throw failure("a text in quotes, a number, a date such as $time.today, or *")
        }
    }

    /// Parses a text in quotes and its modifiers.
    private mutating func quoted() throws(QueryFailure) -> TextPattern {
        let (start, quote) = (place, bytes[place])
        place += 1
        var pieces: [[UInt8]] = [[]]
        while let byte = next, byte != quote {
            place += 1
            switch byte {
            case UInt8(ascii: "*"): pieces.append([])
            case UInt8(ascii: "\\"):
                guard let escaped = next else { throw failure("a character after \\") }
                pieces[pieces.count - 1].append(escaped)
                place += 1
            default: pieces[pieces.count - 1].append(byte)
            }
        }
        guard next != nil else {
            throw failure(
                "the closing \(Character(Unicode.Scalar(quote))) of the text at character \(offset(of: start) + 1)"
            )
        }
        guard place - start - 1 <= Limits.queryTextBytes else {
            throw failure(
                "a text of at most \(Limits.queryTextBytes) bytes", found: "\(place - start - 1) bytes",
                at: start)
        }
        place += 1
        let pattern = TextPattern(
            pieces.map { String(decoding: $0, as: UTF8.self) }, modifiers: try modifiers())
        try count(pattern.partCount - 1, at: start)
        return pattern
    }

    /// Parses the modifiers, which are the letters right after a text in quotes.
    private mutating func modifiers() throws(QueryFailure) -> TextPattern.Modifiers {
        var modifiers: TextPattern.Modifiers = []
        while let byte = next, byte.isWord {
            switch byte {
            case UInt8(ascii: "c"): modifiers.insert(.ignoringCase)
            case UInt8(ascii: "d"): modifiers.insert(.ignoringDiacritics)
            case UInt8(ascii: "w"): modifiers.insert(.words)
            case UInt8(ascii: "t"): modifiers.insert(.tokens)
            default:
                throw failure(
                    "only c, d, w and t after a text", found: "“\(Character(Unicode.Scalar(byte)))”")
            }
            place += 1
        }
        return modifiers
    }

    private mutating func number() throws(QueryFailure) -> QueryNumber {
        let start = place
        var isWhole = true
        if let sign = next, sign.isSign { place += 1 }
        try digits()
        if next == UInt8(ascii: ".") {
            isWhole = false
            place += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isWhole = false
            place += 1
            if let sign = next, sign.isSign { place += 1 }
            try digits()
        }
        if let byte = next, byte.isWord || byte == UInt8(ascii: ".") {
            throw failure("the end of the number")
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        if isWhole, let number = Int64(text) { return .integer(number) }
        guard let number = Double(text), number.isFinite else {
            throw failure("a number that fits a real of 64 bits", found: "a larger one", at: start)
        }
        return .real(number)
    }

    private mutating func digits() throws(QueryFailure) {
        guard let first = next, first.isDigit else { throw failure("a digit") }
        while let digit = next, digit.isDigit { place += 1 }
    }

    // MARK: Dates

    /// Parses a date, and returns it in seconds since 1970.
    private mutating func time() throws(QueryFailure) -> Double {
        guard take("$time.") else { throw failure("$time. and the name of a date") }
        let name = String(decoding: word, as: UTF8.self)
        if name == "iso" {
            place += name.utf8.count
            return Double(try date().milliseconds) / 1000
        }
        guard let time = QueryTime(rawValue: name) else {
            let names = QueryTime.allCases.map(\.rawValue).joined(separator: ", ")
            throw failure("\(names) or iso after $time.")
        }
        place += name.utf8.count
        var amount: Int64 = 0
        if let most = time.most, take("(") { amount = try self.amount(upTo: most) }
        return Double(time.moment(adding: amount, at: present).milliseconds) / 1000
    }

    /// Parses a whole number and the closing parenthesis.
    private mutating func amount(upTo most: Int64) throws(QueryFailure) -> Int64 {
        skipSpace()
        let start = place
        if let sign = next, sign.isSign { place += 1 }
        try digits()
        guard let amount = Int64(String(decoding: bytes[start..<place], as: UTF8.self)),
            (-most...most).contains(amount)
        else { throw failure("a whole number from -\(most) to \(most)", at: start) }
        guard take(")") else { throw failure(") after a whole number") }
        return amount
    }

    /// Parses a date in parentheses.
    private mutating func date() throws(QueryFailure) -> WallTime {
        guard take("(") else { throw failure("( and a date") }
        skipSpace()
        let start = place
        while let byte = next, byte != UInt8(ascii: ")") { place += 1 }
        guard next != nil else { throw failure(") after the date") }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        guard let date = WallTime(iso: text, offset: present.offset) else {
            throw failure("a date such as 2026-11-20 or 2026-11-20T21:04Z", at: start)
        }
        place += 1
        return date
    }

    // MARK: Characters

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    /// The letters, digits and underscores that come next.
    private var word: ArraySlice<UInt8> { bytes[place...].prefix(while: \.isWord) }

    private mutating func skipSpace() {
        while let byte = next, byte.isSpace { place += 1 }
    }

    private func begins(with symbol: String) -> Bool { bytes[place...].starts(with: symbol.utf8) }

    /// Skips a symbol if it comes next; returns whether it did.
    ///
    /// Spaces before and after the symbol are skipped, too, except after a symbol that ends with a dot.
    private mutating func take(_ symbol: String) -> Bool {
        skipSpace()
        guard begins(with: symbol) else { return false }
        place += symbol.utf8.count
        if symbol.utf8.last != UInt8(ascii: ".") { skipSpace() }
        return true
    }

    // MARK: Failures

    /// Returns an error at a byte of the query, or at the current place if `byte` is nil.
    ///
    /// If `found` is nil, the error describes the text that is there.
    private func failure(_ expected: String, found: String? = nil, at byte: Int? = nil) -> QueryFailure {
        let byte = byte ?? place
        return QueryFailure(
            offset: offset(of: byte), found: found ?? self.found(at: byte), expected: expected)
    }

    /// Returns the number of characters before the character that contains a byte.
    private func offset(of byte: Int) -> Int {
        guard byte < bytes.count else { return text.count }
        let index = text.utf8.index(text.startIndex, offsetBy: byte)
        return text.indices.prefix { $0 <= index }.count - 1
    }

    /// Returns a description of the text at a byte, for an error.
    private func found(at byte: Int) -> String {
        guard byte < bytes.count else { return "the end of the query" }
        if bytes[byte] == UInt8(ascii: "\"") || bytes[byte] == UInt8(ascii: "'") { return "a text" }
        let word = bytes[byte...].prefix(while: \.isWord)
        guard word.isEmpty else { return "“\(String(decoding: word, as: UTF8.self).shortened(to: 40))”" }
        return "“\(text[text.utf8.index(text.startIndex, offsetBy: byte)...].prefix(1).withFewMarks)”"
    }
}

extension SearchQuery.Operand {
    /// Whether the operand is a number or a date.
    ///
    /// Only these can be compared by `<` and the other relations of order.
    fileprivate var isBound: Bool {
        switch self {
        case .number, .moment: true
        case .text, .anything: false
        }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self &- 0x30 < 10 }
    fileprivate var isSign: Bool { self == UInt8(ascii: "-") || self == UInt8(ascii: "+") }
    fileprivate var isSpace: Bool { self == 0x20 || 0x09...0x0d ~= self }
    /// Whether the byte is an ASCII letter, an ASCII digit or an underscore.
    fileprivate var isWord: Bool { (self | 0x20) &- 0x61 < 26 || isDigit || self == UInt8(ascii: "_") }
}
