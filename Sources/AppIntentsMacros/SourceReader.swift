/// The words and signs of a declaration, with their places.
struct SourceReader {
    /// A word, a literal or a sign.
    struct Token {
        let text: String
        /// The place in bytes.
        let offset: Int
        /// How many brackets are open around it.
        let depth: Int
        /// Whether a line begins with it.
        let beginsLine: Bool
    }

    let source: [UInt8]
    let tokens: [Token]

    init(_ text: String) {
        source = Array(text.utf8)
        tokens = Self.tokens(of: source)
    }

    /// Returns the source between two tokens, the first included.
    func text(from first: Int, to end: Int) -> String {
        guard first < end, first < tokens.count else { return "" }
        let start = tokens[first].offset
        let last = tokens[end - 1]
        return String(decoding: source[start..<(last.offset + last.text.utf8.count)], as: UTF8.self)
    }

    /// Returns the index of the bracket that closes the one at an index; the end if none does.
    func close(of open: Int) -> Int {
        var index = open + 1
        while index < tokens.count {
            if tokens[index].depth == tokens[open].depth, ")]}".contains(tokens[index].text) { return index }
            index += 1
        }
        return tokens.count
    }

    private static func tokens(of source: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var (index, depth, beginsLine) = (0, 0, true)
        func at(_ place: Int) -> UInt8 { place < source.count ? source[place] : 0 }
        func add(_ end: Int, depth: Int) {
            tokens.append(
                Token(
                    text: String(decoding: source[index..<end], as: UTF8.self), offset: index, depth: depth,
                    beginsLine: beginsLine))
            (index, beginsLine) = (end, false)
        }
        while index < source.count {
            let byte = source[index]
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): (index, beginsLine) = (index + 1, true)
            case UInt8(ascii: " "), UInt8(ascii: "\t"): index += 1
            case UInt8(ascii: "/") where at(index + 1) == UInt8(ascii: "/"):
                while index < source.count, source[index] != UInt8(ascii: "\n") { index += 1 }
            case UInt8(ascii: "/") where at(index + 1) == UInt8(ascii: "*"):
                index = endOfComment(source, index)
            case UInt8(ascii: "\"") where isText(source, index),
                UInt8(ascii: "#") where isText(source, index):
                add(endOfText(source, index), depth: depth)
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                add(index + 1, depth: depth)
                depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                add(index + 1, depth: depth)
            case _ where isWord(byte):
                var end = index
                while isWord(at(end)) { end += 1 }
                add(end, depth: depth)
            case UInt8(ascii: "-") where at(index + 1) == UInt8(ascii: ">"): add(index + 2, depth: depth)
            default: add(index + 1, depth: depth)
            }
        }
        return tokens
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "`"),
            0x80...0xFF:
            true
        default: false
        }
    }

    /// Whether a `#` begins a text such as `#"…"#`.
    private static func isText(_ source: [UInt8], _ start: Int) -> Bool {
        var index = start
        while index < source.count, source[index] == UInt8(ascii: "#") { index += 1 }
        return index < source.count && source[index] == UInt8(ascii: "\"")
    }

    /// Comments may stand in comments.
    private static func endOfComment(_ source: [UInt8], _ start: Int) -> Int {
        var (index, depth) = (start + 2, 1)
        while index + 1 < source.count, depth > 0 {
            switch (source[index], source[index + 1]) {
            case (UInt8(ascii: "/"), UInt8(ascii: "*")): (index, depth) = (index + 2, depth + 1)
            case (UInt8(ascii: "*"), UInt8(ascii: "/")): (index, depth) = (index + 2, depth - 1)
            default: index += 1
            }
        }
        return depth > 0 ? source.count : index
    }

    /// The end of a text with its quotes, also of one with interpolations, several lines or number signs.
    private static func endOfText(_ source: [UInt8], _ start: Int) -> Int {
        var index = start
        while index < source.count, source[index] == UInt8(ascii: "#") { index += 1 }
        let signs = index - start
        func quotes(_ place: Int) -> Int {
            var count = 0
            while place + count < source.count, source[place + count] == UInt8(ascii: "\""), count < 3 {
                count += 1
            }
            return count
        }
        let opening = quotes(index) == 3 ? 3 : 1
        index += opening
        while index < source.count {
            if source[index] == UInt8(ascii: "\\") {
                let escape = index + 1 + signs
                let isEscape =
                    escape < source.count
                    && source[(index + 1)..<escape].allSatisfy { $0 == UInt8(ascii: "#") }
                guard isEscape else {
                    index += 1
                    continue
                }
                index = source[escape] == UInt8(ascii: "(") ? endOfInterpolation(source, escape) : escape + 1
                continue
            }
            let end = index + opening
            if quotes(index) >= opening, end + signs <= source.count,
                source[end..<(end + signs)].allSatisfy({ $0 == UInt8(ascii: "#") })
            {
                return end + signs
            }
            index += 1
        }
        return source.count
    }

    /// The end of an interpolation that opens at a place; texts in it may have brackets.
    private static func endOfInterpolation(_ source: [UInt8], _ open: Int) -> Int {
        var (index, depth) = (open + 1, 1)
        while index < source.count, depth > 0 {
            switch source[index] {
            case UInt8(ascii: "("): (index, depth) = (index + 1, depth + 1)
            case UInt8(ascii: ")"): (index, depth) = (index + 1, depth - 1)
            case UInt8(ascii: "\""): index = endOfText(source, index)
            default: index += 1
            }
        }
        return index
    }
}
