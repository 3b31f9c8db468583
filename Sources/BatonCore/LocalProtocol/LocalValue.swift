/// A part of a call or a reply that is one CBOR value.
///
/// A type that is encoded as one CBOR value conforms to this protocol. Then a call needs one line to write its
/// arguments and one line to read them: with `value`, or with `pair` or `triple` for an array of two or three values.
protocol LocalValue {
    func encode(to writer: inout CBORWriter)
    init(from reader: inout CBORReader) throws(CBORError)
}

extension CBORWriter {
    /// Writes a value in the form that its type has in local calls.
    mutating func value(_ value: some LocalValue) { value.encode(to: &self) }

    /// Writes an array of two values.
    mutating func pair(_ first: some LocalValue, _ second: some LocalValue) {
        array(count: 2)
        first.encode(to: &self)
        second.encode(to: &self)
    }

    /// Writes an array of three values.
    mutating func triple(_ first: some LocalValue, _ second: some LocalValue, _ third: some LocalValue) {
        array(count: 3)
        first.encode(to: &self)
        second.encode(to: &self)
        third.encode(to: &self)
    }

    /// Writes the name of a record, encoded as in the key of the record.
    mutating func key(_ name: some RecordName) { encoded(name.key.name) }

    /// Writes a text, or null.
    mutating func optional(_ text: String?) {
        if let text { self.text(text) } else { null() }
    }
}

extension CBORReader {
    /// Reads a value in the form that its type has in local calls.
    mutating func value<Value: LocalValue>() throws(CBORError) -> Value { try Value(from: &self) }

    /// Reads an array of two values.
    mutating func pair<First: LocalValue, Second: LocalValue>() throws(CBORError) -> (First, Second) {
        try array(count: 2)
        return (try First(from: &self), try Second(from: &self))
    }

    /// Reads an array of three values.
    mutating func triple<First: LocalValue, Second: LocalValue, Third: LocalValue>() throws(CBORError) -> (
        First, Second, Third
    ) {
        try array(count: 3)
        return (try First(from: &self), try Second(from: &self), try Third(from: &self))
    }

    /// Reads the name of a record, encoded as in the key of the record.
    mutating func key<Name: RecordName>() throws(CBORError) -> Name {
        try Name(RecordKey(kind: Name.kind, name: Array(try encoded())))
    }

    /// Reads a text, or null.
    mutating func optionalText() throws(CBORError) -> String? {
        try optional { (reader) throws(CBORError) in try reader.text() }
    }
}

// MARK: Types of lower folders

extension String: LocalValue {
    func encode(to writer: inout CBORWriter) { writer.text(self) }
    init(from reader: inout CBORReader) throws(CBORError) { self = try reader.text() }
}

extension Bool: LocalValue {
    func encode(to writer: inout CBORWriter) { writer.boolean(self) }
    init(from reader: inout CBORReader) throws(CBORError) { self = try reader.boolean() }
}

extension UInt64: LocalValue {
    func encode(to writer: inout CBORWriter) { writer.unsigned(self) }
    init(from reader: inout CBORReader) throws(CBORError) { self = try reader.unsigned() }
}

extension Int64: LocalValue {
    func encode(to writer: inout CBORWriter) { writer.integer(self) }
    init(from reader: inout CBORReader) throws(CBORError) { self = try reader.integer() }
}

extension WallTime: LocalValue {}

extension AccountIdentifier: LocalValue {
    func encode(to writer: inout CBORWriter) { writer.identifier(self) }
    init(from reader: inout CBORReader) throws(CBORError) { self = try reader.identifier() }
}

/// An optional value, which is encoded as the value itself, or as null for nil.
extension Optional: LocalValue where Wrapped: LocalValue {
    func encode(to writer: inout CBORWriter) {
        if let self { self.encode(to: &writer) } else { writer.null() }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        self = try reader.optional { (reader) throws(CBORError) in try Wrapped(from: &reader) }
    }
}

/// An array of values; only the size of a frame limits the number of elements.
extension Array: LocalValue where Element: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.array(count: count)
        for element in self { element.encode(to: &writer) }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        self = try reader.array(upTo: Limits.frameBytes) { (reader) throws(CBORError) in
            try Element(from: &reader)
        }
    }
}
