package import BatonCore

/// What programs say in JSON, read: the counterpart of what is printed.
extension JSON {
    /// The one value of a text in UTF-8.
    package init(reading bytes: some Collection<UInt8>) throws(JSONError) {
        self = try JSONReader.read(Array(bytes))
    }

    /// The value of a key, if this is an object that has it.
    package subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The keys, if this is an object.
    package var keys: [String]? {
        guard case .object(let members) = self else { return nil }
        return members.map(\.key)
    }

    /// The text, if this is one.
    package var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The list, if this is one.
    package var array: [JSON]? { if case .array(let values) = self { values } else { nil } }

    /// The truth, if this is one.
    package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

    /// The whole number, if this is one.
    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
}

extension PropertyValue {
    /// The value that is printed so; an object with one key that begins with a dollar sign is what JSON has no form for.
    package init(_ json: JSON) throws(JSONError) {
        switch json {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .string(let value): self = .string(value)
        case .array(let values):
            self = .array(try values.map { (value) throws(JSONError) in try PropertyValue(value) })
        case .object(let members):
            if let first = members.first, first.key.hasPrefix("$") {
                guard members.count == 1 else { throw JSONError("`\(first.key)` stands beside other keys") }
                self = try Self.marked(first.key.dropFirst(), first.value)
            } else {
                var pairs: [PropertyValue: PropertyValue] = [:]
                for member in members { pairs[.string(member.key)] = try PropertyValue(member.value) }
                self = .dictionary(pairs)
            }
        }
    }

    private static func marked(_ name: Substring, _ json: JSON) throws(JSONError) -> PropertyValue {
        let value: PropertyValue?
        switch name {
        case "data": value = json.string.flatMap(Base64.decode).map { .data($0) }
        case "date": value = json.time.map { .date(Double($0.milliseconds) / 1000) } ?? json.seconds
        case "url": value = json.string.map { .url($0) }
        case "uuid": value = json.string.flatMap(uuid).map { .uuid($0) }
        case "real": value = json.string.flatMap { Double($0) }.map { .real($0) }
        case "set":
            value = try json.array.map { (members) throws(JSONError) in
                .set(Set(try members.map { (member) throws(JSONError) in try PropertyValue(member) }))
            }
        case "pairs": value = try json.array.map(pairs)
        default: throw JSONError("`$\(name)` is no kind of value; a key that begins so stands in `$pairs`")
        }
        guard let value else { throw JSONError("`$\(name)` has not the form that it is printed in") }
        return value
    }

    private static func pairs(_ list: [JSON]) throws(JSONError) -> PropertyValue {
        var pairs: [PropertyValue: PropertyValue] = [:]
        for pair in list {
            guard let pair = pair.array, pair.count == 2 else {
                throw JSONError("`$pairs` is a list of keys with their values: [[KEY, VALUE], …]")
            }
            pairs[try PropertyValue(pair[0])] = try PropertyValue(pair[1])
        }
        return .dictionary(pairs)
    }

    /// The bytes of five groups of hexadecimal digits.
    private static func uuid(_ text: String) -> [UInt8]? {
        let digits = text.filter { $0 != "-" }.compactMap(\.hexDigitValue)
        guard text.utf8.count == 36, digits.count == 32 else { return nil }
        return stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

extension JSON {
    /// The time that a text in ISO 8601 means.
    fileprivate var time: WallTime? { string.flatMap { TimeParser.date($0) { _ in 0 } } }

    /// A date beyond any calendar, as the bare number of its seconds.
    fileprivate var seconds: PropertyValue? { string.flatMap { Double($0) }.map { .date($0) } }
}
