package import BatonClient
package import BatonCore

extension JSON {
    /// Converts a value of an activity to JSON.
    ///
    /// Some values have no form in JSON, such as dates. They become an object with one key, which begins with a dollar
    /// sign.
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

    /// Converts a dictionary.
    ///
    /// If every key is a string that begins with no dollar sign, the result is an object. Otherwise, the result is a
    /// list of pairs.
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

    /// A date in ISO 8601.
    ///
    /// If the date is outside of every calendar, the result is the number of seconds.
    private static func date(_ seconds: Double) -> String {
        guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else {
            return seconds.description
        }
        return CivilTime(WallTime(milliseconds: milliseconds)).text
    }

    /// A UUID in the usual form, with five groups of hexadecimal digits.
    private static func uuid(_ bytes: [UInt8]) -> String {
        var text = ""
        for (place, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(place) { text += "-" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return text
    }
}

extension PropertyValue {
    /// Parses a value from JSON.
    ///
    /// The forms are those in which values are printed.
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
                guard members.count == 1 else {
                    throw JSONError("`\(first.key)` must be the only key of its object")
                }
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
        default:
            throw JSONError("`$\(name)` is not a kind of value; put a key that begins with $ into `$pairs`")
        }
        guard let value else { throw JSONError("`$\(name)` has the wrong form") }
        return value
    }

    private static func pairs(_ list: [JSON]) throws(JSONError) -> PropertyValue {
        var pairs: [PropertyValue: PropertyValue] = [:]
        for pair in list {
            guard let pair = pair.array, pair.count == 2 else {
                throw JSONError("`$pairs` must be a list of keys with their values: [[KEY, VALUE], …]")
            }
            pairs[try PropertyValue(pair[0])] = try PropertyValue(pair[1])
        }
        return .dictionary(pairs)
    }

    /// Parses a UUID in the usual form; returns nil if it is malformed.
    private static func uuid(_ text: String) -> [UInt8]? {
        let digits = text.filter { $0 != "-" }.compactMap(\.hexDigitValue)
        guard text.utf8.count == 36, digits.count == 32 else { return nil }
        return stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

extension JSON {
    /// The time that the text is in ISO 8601, or nil if it is none.
    fileprivate var time: WallTime? { string.flatMap { WallTime(iso: $0) { _ in 0 } } }

    /// The date that the text gives as a number of seconds, or nil if the text is no number.
    fileprivate var seconds: PropertyValue? { string.flatMap { Double($0) }.map { .date($0) } }
}

extension Collection<PropertyValue> {
    /// The values, sorted by their encodings.
    ///
    /// So the order is the same in every process.
    fileprivate var inOrder: [PropertyValue] {
        map { (value: $0, encoded: $0.encoded) }
            .sorted { $0.encoded.lexicographicallyPrecedes($1.encoded) }
            .map(\.value)
    }
}
