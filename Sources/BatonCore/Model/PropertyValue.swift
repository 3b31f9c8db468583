/// A value that an activity may carry, as on Apple's systems.
///
/// Integers, reals and booleans are kept apart.
///
/// Two values are equal if their encodings are.
package indirect enum PropertyValue: Sendable {
    case string(String)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    case data([UInt8])
    /// Seconds since 1970.
    case date(Double)
    case url(String)
    case uuid([UInt8])
    case null
    case array([PropertyValue])
    case set(Set<PropertyValue>)
    case dictionary([PropertyValue: PropertyValue])
}

extension PropertyValue {
    /// The pairs, if this is a dictionary.
    package var pairs: [PropertyValue: PropertyValue]? {
        if case .dictionary(let pairs) = self { pairs } else { nil }
    }

    /// The members, if this is a set.
    package var members: Set<PropertyValue>? {
        if case .set(let members) = self { members } else { nil }
    }

    /// The text, if this is a string.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The members, if this is a set of strings and of nothing else.
    package var strings: Set<String>? {
        guard let members else { return nil }
        let strings = members.compactMap(\.string)
        return strings.count == members.count ? Set(strings) : nil
    }
}

extension PropertyValue {
    /// The encoding of this value alone.
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        encode(to: &writer)
        return writer.bytes
    }

    package func encode(to writer: inout CBORWriter) {
        switch self {
        case .string(let value): writer.text(value)
        case .integer(let value): writer.integer(value)
        case .real(let value): writer.real(value)
        case .boolean(let value): writer.boolean(value)
        case .data(let value): writer.data(value)
        case .date(let value):
            writer.tag(Tag.date)
            writer.real(value)
        case .url(let value):
            writer.tag(Tag.url)
            writer.text(value)
        case .uuid(let value):
            writer.tag(Tag.uuid)
            writer.data(value)
        case .null: writer.null()
        case .array(let values):
            writer.array(count: values.count)
            for value in values { value.encode(to: &writer) }
        case .set(let values):
            writer.tag(Tag.set)
            writer.array(count: values.count)
            for value in values.map(\.encoded).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                writer.encoded(value)
            }
        case .dictionary(let pairs):
            writer.map(count: pairs.count)
            let encoded = pairs.map { (key: $0.key.encoded, value: $0.value) }
            for (key, value) in encoded.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                writer.encoded(key)
                value.encode(to: &writer)
            }
        }
    }

    package init(from reader: inout CBORReader, depth: Int = 0) throws(CBORError) {
        let start = reader.offset
        guard depth <= Limits.nestingDepth else { throw CBORError(.tooDeep, at: start) }
        guard let type = reader.nextType else { throw CBORError(.truncated, at: start) }
        switch type {
        case .unsigned, .negative: self = .integer(try reader.integer())
        case .bytes: self = .data(try reader.data())
        case .text: self = .string(try reader.text())
        case .array: self = .array(try Self.values(from: &reader, depth: depth))
        case .map: self = .dictionary(try Self.pairs(from: &reader, depth: depth))
        case .simple: self = try Self.simple(from: &reader)
        case .tag:
            // A tag is a level of its own, as it is where values are passed over unread.
            guard depth < Limits.nestingDepth else { throw CBORError(.tooDeep, at: reader.offset) }
            switch try reader.tag() {
            case Tag.date: self = .date(try reader.real())
            case Tag.url: self = .url(try reader.text())
            case Tag.uuid:
                let bytes = try reader.data(upTo: 16)
                guard bytes.count == 16 else { throw CBORError(.outOfRange, at: start) }
                self = .uuid(bytes)
            case Tag.set:
                let values = try Self.values(from: &reader, depth: depth + 1)
                let encoded = values.map(\.encoded)
                guard zip(encoded, encoded.dropFirst()).allSatisfy({ $0.lexicographicallyPrecedes($1) })
                else {
                    throw CBORError(.keysOutOfOrder, at: start)
                }
                self = .set(Set(values))
            default: throw CBORError(.unexpectedType, at: start)
            }
        }
    }

    private static func simple(from reader: inout CBORReader) throws(CBORError) -> PropertyValue {
        if reader.nextIsNull {
            try reader.null()
            return .null
        }
        return reader.nextIsBoolean ? .boolean(try reader.boolean()) : .real(try reader.real())
    }

    private static func values(from reader: inout CBORReader, depth: Int) throws(CBORError) -> [PropertyValue]
    {
        try reader.array(upTo: Limits.writeBytes) { (reader) throws(CBORError) in
            try PropertyValue(from: &reader, depth: depth + 1)
        }
    }

    private static func pairs(
        from reader: inout CBORReader, depth: Int
    ) throws(CBORError) -> [PropertyValue: PropertyValue] {
        var pairs: [PropertyValue: PropertyValue] = [:]
        var key = PropertyValue.null
        try reader.map(upTo: Limits.writeBytes) { (reader) throws(CBORError) in
            key = try PropertyValue(from: &reader, depth: depth + 1)
        } value: { (reader) throws(CBORError) in
            pairs[key] = try PropertyValue(from: &reader, depth: depth + 1)
        }
        return pairs
    }

    /// The tags of CBOR's registry that are in use.
    private enum Tag {
        static let date: UInt64 = 1
        static let url: UInt64 = 32
        static let uuid: UInt64 = 37
        static let set: UInt64 = 258
    }
}
