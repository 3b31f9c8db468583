import BatonCore

extension FuzzTarget {
    private static let present = PresentTime(WallTime(milliseconds: 1_795_208_645_123)) { _ in 3600 }

    private static func parse(_ text: String) -> Result<SearchQuery, QueryFailure> {
        do throws(QueryFailure) { return .success(try SearchQuery(text, at: present)) } catch {
            return .failure(error)
        }
    }

    /// The parser of queries: any text is a query, or has an error at one of its characters.
    package static let queries = FuzzTarget("queries") { bytes throws(FuzzViolation) in
        let text = String(decoding: bytes, as: UTF8.self)
        switch parse(text) {
        case .success(let query):
            try require(parse(" \n" + text + "\t"), is: .success(query), "the query between spaces")
            let enclosed = parse("(" + text + ")")
            // One more level may be one too many, and so may two more bytes.
            if case .success(let enclosed) = enclosed {
                try require(enclosed, is: query, "the query in parentheses")
            }
        case .failure(let failure):
            try require((0...text.count).contains(failure.offset), "the place of \(failure)")
            try require(!failure.expected.isEmpty && !failure.found.isEmpty, "a reason in \(failure)")
            try require(failure.pointer(in: text).text.hasSuffix("^"), "a caret below \(text)")
        }
    }

    /// The evaluation of queries over an item.
    package static let queryMatching = FuzzTarget("query-matching") { bytes throws(FuzzViolation) in
        var input = FuzzInput(bytes)
        let item = input.item()
        let operand = input.text()
        let quoted = quoting(operand)
        var answers: [String: Bool] = [:]
        for modifiers in ["", "c", "d", "cd", "w", "wd", "t", "wt", "cdwt"] {
            answers[modifiers] = try answer("title == \(quoted)\(modifiers)", item)
        }
        try require(
            answers["w"] != true || answers["wt"] == true, "words in order are words in any order: \(quoted)")
        if !operand.contains("*"), answers[""] == true {
            try require(answers["w"], is: answers["t"], "a value has its own words in order: \(quoted)")
        }
        let rest = String(decoding: input.rest, as: UTF8.self)
        if let found = try answer(rest, item) {
            try require(try answer("!(\(rest))", item) ?? !found, is: !found, "the opposite of \(rest)")
            try require(try answer("(\(rest)) && (\(rest))", item) ?? found, is: found, "twice \(rest)")
            try require(try answer("(\(rest)) || !(\(rest))", item) ?? true, is: true, "\(rest), or not")
        }
    }

    /// Returns a text in quotes; only `*` keeps its meaning.
    private static func quoting(_ text: String) -> String {
        let bytes = text.utf8.flatMap { byte in
            [UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(byte) ? [UInt8(ascii: "\\"), byte] : [byte]
        }
        return "\"" + String(decoding: bytes, as: UTF8.self) + "\""
    }

    /// Returns whether an item matches a query, asked twice; nil if it is not a query.
    private static func answer(_ text: String, _ item: Item) throws(FuzzViolation) -> Bool? {
        guard case .success(let query) = parse(text) else { return nil }
        let matches = query.matches(item)
        try require(query.matches(item), is: matches, "the same question: \(text)")
        return matches
    }
}

extension FuzzInput {
    /// Returns a text of up to 255 bytes.
    fileprivate mutating func text() -> String {
        let count = Int(byte())
        return String(decoding: bytes(upTo: count), as: UTF8.self)
    }

    /// Returns an item with a title and a few attributes of other types.
    fileprivate mutating func item() -> Item {
        var item = Item()
        item.attributes[.title] = .plain(.string(text()))
        let choice = byte()
        if choice & 1 != 0 { item.attributes[.pageCount] = .plain(.integer(Int64(Int8(bitPattern: byte())))) }
        if choice & 2 != 0 { item.attributes[.dueDate] = .plain(.date(1_795_208_645)) }
        if choice & 4 != 0 { item.attributes[.keywords] = .plain(.array([.string(text()), .string("tag")])) }
        if choice & 8 != 0 {
            item.attributes[.custom(Array("a".utf8))] = .plain(.array([.real(0.5), .null]))
        }
        if choice & 16 != 0 { item.domain = text() }
        return item
    }
}
