extension JSON5Reader {
    /// The value that begins here, so many levels within others.
    mutating func value(depth: Int) throws(ConfigurationError) -> JSON5Value {
        let start = place
        guard depth < Self.depth else {
            throw error("more than \(Self.depth) values stand within each other")
        }
        let content: JSON5Value.Content
        switch peek() {
        case "{": content = .object(try members(depth: depth))
        case "[": content = .array(try elements(depth: depth))
        case "\"", "'": content = .string(try string())
        case "+", "-", ".": content = .number(try number())
        case let scalar? where scalar.isDigit: content = .number(try number())
        case let scalar? where scalar.isInWord: content = try word()
        case let scalar: throw error("a value is missing before \(Self.spelled(scalar))")
        }
        return JSON5Value(content: content, place: start)
    }

    /// `true`, `false`, `null`, or one of the two numbers that have no digits.
    private mutating func word() throws(ConfigurationError) -> JSON5Value.Content {
        let start = place
        let name = name()
        switch name {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "null": return .null
        case "Infinity": return .number(.infinity)
        case "NaN": return .number(.nan)
        default: throw ConfigurationError(start, "a text such as `\(name)` stands in quotation marks")
        }
    }

    /// The characters of a word that stand here.
    mutating func name() -> String {
        var name = ""
        while let scalar = peek(), scalar.isInWord {
            name.unicodeScalars.append(scalar)
            next()
        }
        return name
    }

    private mutating func elements(depth: Int) throws(ConfigurationError) -> [JSON5Value] {
        let start = place
        var elements: [JSON5Value] = []
        next()
        try skipSpace()
        while peek() != "]" {
            if peek() == nil { throw ConfigurationError(start, "missing ] for this [") }
            elements.append(try value(depth: depth + 1))
            try separator(before: "]", of: start, opened: "[")
        }
        next()
        return elements
    }

    private mutating func members(depth: Int) throws(ConfigurationError) -> [JSON5Value.Member] {
        let start = place
        var members: [JSON5Value.Member] = []
        var places: [String: TextPlace] = [:]
        next()
        try skipSpace()
        while peek() != "}" {
            if peek() == nil { throw ConfigurationError(start, "missing } for this {") }
            let keyPlace = place
            let key = try key()
            if let first = places.updateValue(keyPlace, forKey: key) {
                throw ConfigurationError(keyPlace, "`\(key)` stands here already, in line \(first.line)")
            }
            try skipSpace()
            guard peek() == ":" else {
                throw error("a colon is missing behind `\(key)`, before \(Self.spelled(peek()))")
            }
            next()
            try skipSpace()
            members.append(.init(key: key, place: keyPlace, value: try value(depth: depth + 1)))
            try separator(before: "}", of: start, opened: "{")
        }
        next()
        return members
    }

    private mutating func key() throws(ConfigurationError) -> String {
        switch peek() {
        case "\"", "'": return try string()
        case let scalar? where scalar.isInWord && !scalar.isDigit: return name()
        case let scalar: throw error("a key is missing before \(Self.spelled(scalar))")
        }
    }

    /// Goes past a comma, unless what it would separate from is the end.
    private mutating func separator(
        before end: Unicode.Scalar, of start: TextPlace, opened: String
    ) throws(ConfigurationError) {
        try skipSpace()
        switch peek() {
        case ",":
            next()
            try skipSpace()
        case end: break
        case nil: throw ConfigurationError(start, "missing \(end) for this \(opened)")
        case let scalar: throw error("a comma or \(end) is missing before \(Self.spelled(scalar))")
        }
    }
}
