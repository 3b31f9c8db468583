extension PropertyValue {
    /// The encoding of this value.
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        encode(to: &writer)
        return writer.bytes
    }

    /// The length of the encoding in bytes.
    package var encodedCount: Int {
        switch self {
        case .string(let value): CBORWriter.count(ofBytes: value.utf8.count)
        case .integer(let value): CBORWriter.headCount(UInt64(bitPattern: value >= 0 ? value : ~value))
        case .real(let value): CBORReal(value).encodedCount
        case .boolean, .null: 1
        case .data(let value), .uuid(let value): CBORWriter.count(ofBytes: value.count) + tagCount
        case .date(let value): CBORReal(value).encodedCount + tagCount
        case .url(let value): CBORWriter.count(ofBytes: value.utf8.count) + tagCount
        case .array(let values):
            values.reduce(CBORWriter.headCount(UInt64(values.count))) { $0 + $1.encodedCount }
        case .set(let values):
            values.reduce(CBORWriter.headCount(UInt64(values.count)) + tagCount) { $0 + $1.encodedCount }
        case .dictionary(let pairs):
            pairs.reduce(CBORWriter.headCount(UInt64(pairs.count))) {
                $0 + $1.key.encodedCount + $1.value.encodedCount
            }
        }
    }

    /// The length in bytes of the tag before the value; zero if the value has no tag.
    private var tagCount: Int {
        switch self {
        case .date: CBORWriter.headCount(Tag.date)
        case .url: CBORWriter.headCount(Tag.url)
        case .uuid: CBORWriter.headCount(Tag.uuid)
        case .set: CBORWriter.headCount(Tag.set)
        case .string, .integer, .real, .boolean, .data, .null, .array, .dictionary: 0
        }
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
            values.forEachInOrder { $0.encode(to: &writer) }
        case .dictionary(let pairs):
            writer.map(count: pairs.count)
            pairs.forEachInOrder { pair in
                pair.key.encode(to: &writer)
                pair.value.encode(to: &writer)
            }
        }
    }

    /// Writes a set of strings.
    static func encode(_ strings: Set<String>, to writer: inout CBORWriter) {
        writer.tag(Tag.set)
        writer.array(count: strings.count)
        strings.forEachInOrder { writer.text($0) }
    }

    /// Reads a set of strings, or returns nil if the next value is anything else.
    ///
    /// It also returns nil if Swift treats two of the strings as equal.
    static func texts(from reader: inout CBORReader) throws(CBORError) -> Set<String>? {
        let start = reader.offset
        var (ahead, count) = (reader, 0)
        guard reader.nextType == .tag, try ahead.tag() == Tag.set, ahead.nextType == .array else {
            return nil
        }
        let texts = try ahead.set(upTo: Limits.writeBytes, of: start) { (reader) throws(CBORError) in
            count += 1
            if reader.nextType == .text { return try reader.text() }
            // This member is not a text. It is counted twice, so that the comparison of the counts below fails.
            count += 1
            _ = try PropertyValue(from: &reader, depth: 2)
            return ""
        }
        guard texts.count == count else { return nil }
        reader = ahead
        return texts
    }

    /// Reads a value, and throws if there are too many values inside it.
    ///
    /// The number is limited because small values take far more memory than their encoding.
    package init(from reader: inout CBORReader, depth: Int = 0) throws(CBORError) {
        var left = PropertyLimits.valuesRead
        try self.init(from: &reader, depth: depth, left: &left)
    }

    private init(from reader: inout CBORReader, depth: Int, left: inout Int) throws(CBORError) {
        guard depth <= Limits.nestingDepth else { throw CBORError(.tooDeep, at: reader.offset) }
        guard left > 0 else { throw CBORError(.outOfRange, at: reader.offset) }
        left -= 1
        guard let type = reader.nextType else { throw CBORError(.truncated, at: reader.offset) }
        switch type {
        case .unsigned, .negative: self = .integer(try reader.integer())
        case .bytes: self = .data(try reader.data())
        case .text: self = .string(try reader.text())
        case .array:
            self = .array(
                try reader.array(upTo: Limits.writeBytes) { (reader) throws(CBORError) in
                    try PropertyValue(from: &reader, depth: depth + 1, left: &left)
                })
        case .map:
            self = .dictionary(
                try reader.dictionary(upTo: Limits.writeBytes) { (reader) throws(CBORError) in
                    try PropertyValue(from: &reader, depth: depth + 1, left: &left)
                } value: { (reader) throws(CBORError) in
                    try PropertyValue(from: &reader, depth: depth + 1, left: &left)
                })
        case .simple: self = try Self.simple(from: &reader)
        case .tag: self = try Self.tagged(from: &reader, depth: depth, left: &left)
        }
    }

    private static func simple(from reader: inout CBORReader) throws(CBORError) -> PropertyValue {
        if reader.nextIsNull {
            try reader.null()
            return .null
        }
        return reader.nextIsBoolean ? .boolean(try reader.boolean()) : .real(try reader.real())
    }

    private static func tagged(
        from reader: inout CBORReader, depth: Int, left: inout Int
    ) throws(CBORError) -> PropertyValue {
        let start = reader.offset
        // A tag counts as one level of nesting, as it does in `CBORReader.skip(depth:)`.
        guard depth < Limits.nestingDepth else { throw CBORError(.tooDeep, at: start) }
        switch try reader.tag() {
        case Tag.date: return .date(try reader.real())
        case Tag.url: return .url(try reader.text())
        case Tag.uuid:
            let bytes = try reader.data(upTo: 16)
            guard bytes.count == 16 else { throw CBORError(.outOfRange, at: start) }
            return .uuid(bytes)
        case Tag.set:
            return .set(
                try reader.set(upTo: Limits.writeBytes, of: start) { (reader) throws(CBORError) in
                    try PropertyValue(from: &reader, depth: depth + 2, left: &left)
                })
        default: throw CBORError(.unexpectedType, at: start)
        }
    }

    /// The tags from CBOR's registry that values use.
    private enum Tag {
        static let date: UInt64 = 1
        static let url: UInt64 = 32
        static let uuid: UInt64 = 37
        static let set: UInt64 = 258
    }
}

extension CBORWriter {
    /// Writes texts as a set in a property list.
    mutating func textSet(_ texts: Set<String>) {
        PropertyValue.encode(texts, to: &self)
    }
}

extension CBORReader {
    /// Reads a set of a property list, and throws if a member is not a text.
    ///
    /// Swift treats some texts with different bytes as equal. The result has only one of them, the one with the
    /// smallest bytes.
    mutating func textSet() throws(CBORError) -> Set<String> {
        if let texts = try PropertyValue.texts(from: &self) { return texts }
        let start = offset
        guard case .set(let members) = try PropertyValue(from: &self) else {
            throw CBORError(.unexpectedType, at: start)
        }
        var texts: [String] = []
        for member in members {
            guard let text = member.string else { throw CBORError(.unexpectedType, at: start) }
            texts.append(text)
        }
        return Set(texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    /// Reads a property list's dictionary.
    mutating func dictionary() throws(CBORError) -> [PropertyValue: PropertyValue] {
        let start = offset
        guard case .dictionary(let pairs) = try PropertyValue(from: &self) else {
            throw CBORError(.unexpectedType, at: start)
        }
        return pairs
    }
}
