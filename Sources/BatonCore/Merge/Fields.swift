/// The fields of a write: names and their encoded values.
///
/// A value is decoded only by code that knows the field. So a field that is unknown here is kept byte for byte. Because
/// the fields are stored in encoded form, fields from a peer need no more memory than their bytes in the message.
package struct Fields: Equatable, Sendable {
    /// The encoded fields in ascending order of names, each name followed by its value; always well-formed.
    private var pairs: [UInt8]
    /// The number of fields.
    package private(set) var count: Int

    /// Creates an empty set of fields.
    package init() { (pairs, count) = ([], 0) }

    /// Creates fields, which the closure adds in ascending order of names.
    ///
    /// `capacity` is the number of bytes to reserve at first.
    package init(reserving capacity: Int = 0, _ add: (inout FieldsWriter) -> Void) {
        var fields = FieldsWriter(reserving: capacity)
        add(&fields)
        self.init(fields)
    }

    /// Creates fields from the fields that a writer has collected.
    package init(_ writer: FieldsWriter) { (pairs, count) = (writer.writer.bytes, writer.count) }

    /// The largest number of fields that a write can have.
    package static let countMost = 1024

    package var isEmpty: Bool { count == 0 }

    // MARK: Single fields

    /// The encoded value of a field, or nil if there is none; setting nil removes the field.
    package subscript(name: FieldName) -> [UInt8]? {
        get {
            for field in self {
                if field.name == name { return Array(field.value) }
                if name < field.name { break }
            }
            return nil
        }
        set {
            var (before, after) = (FieldsWriter(), FieldsWriter())
            for field in self where field.name != name {
                if field.name < name { before.add(field) } else { after.add(field) }
            }
            if let newValue { before.field(name) { $0.encoded(newValue) } }
            pairs = before.writer.bytes + after.writer.bytes
            count = before.count + after.count
        }
    }

    /// Sets the value of a numbered field, which the closure writes.
    package mutating func set(_ number: UInt64, _ write: (inout CBORWriter) -> Void) {
        let parts = divided(at: number)
        var writer = CBORWriter(reserving: pairs.count + 64)
        writer.encoded(parts.before)
        writer.unsigned(number)
        write(&writer)
        writer.encoded(parts.after)
        (pairs, count) = (writer.bytes, parts.value == nil ? count + 1 : count)
    }

    /// Returns the encoded value of a numbered field without copying it; nil if there is no such field.
    func encoded(_ number: UInt64) -> ArraySlice<UInt8>? {
        var reader = reader
        do throws(CBORError) {
            // Numbers come before all other names, in ascending order.
            while reader.nextType == .unsigned {
                let name = try reader.unsigned()
                guard name <= number else { return nil }
                if name == number { return try reader.encodedAndChecked() }
                try reader.skipChecked()
            }
        } catch {
            preconditionFailure("fields were checked when they were read: \(error)")
        }
        return nil
    }

    /// Returns the encoded fields before a numbered field, the value of that field, and the encoded fields after it.
    ///
    /// Nothing is copied. The value is nil if there is no such field.
    func divided(
        at number: UInt64
    ) -> (before: ArraySlice<UInt8>, value: ArraySlice<UInt8>?, after: ArraySlice<UInt8>) {
        var reader = reader
        do throws(CBORError) {
            // Numbers come before all other names, in ascending order.
            while reader.nextType == .unsigned {
                let start = reader.position
                let name = try reader.unsigned()
                if name == number {
                    let value = try reader.encodedAndChecked()
                    return (pairs[..<start], value, pairs[reader.position...])
                }
                if name > number { return (pairs[..<start], nil, pairs[start...]) }
                try reader.skipChecked()
            }
        } catch {
            preconditionFailure("fields were checked when they were read: \(error)")
        }
        return (pairs[..<reader.position], nil, pairs[reader.position...])
    }

    /// Whether the fields equal other fields; the numbered field `number` is ignored.
    package func equals(_ other: Fields, besides number: UInt64) -> Bool {
        if self == other { return true }
        let (own, others) = (divided(at: number), other.divided(at: number))
        return own.before == others.before && own.after == others.after
    }

    /// Visits the numbered fields that satisfy `isWanted`, in ascending order; the closure gets their encoded values.
    func visit(where isWanted: (UInt64) -> Bool, _ body: (UInt64, ArraySlice<UInt8>) -> Void) {
        var reader = reader
        do throws(CBORError) {
            // Numbers come before all other names.
            while reader.nextType == .unsigned {
                let number = try reader.unsigned()
                if isWanted(number) {
                    body(number, try reader.encodedAndChecked())
                } else {
                    try reader.skipChecked()
                }
            }
        } catch {
            preconditionFailure("fields were checked when they were read: \(error)")
        }
    }

    /// Reads the value of a numbered field; returns nil if there is no such field.
    package func read<Value>(
        _ number: UInt64, _ read: (inout CBORReader) throws(CBORError) -> Value
    ) throws(CBORError) -> Value? {
        guard let value = encoded(number) else { return nil }
        return try CBORReader.whole(value, read)
    }

    // MARK: All fields

    /// Returns these fields and, in addition, the fields of `others` whose names are missing here.
    package func completed(by others: Fields) -> Fields {
        if others.isEmpty { return self }
        return Fields { fields in
            var (mine, theirs) = (makeIterator(), others.makeIterator())
            var (field, other) = (mine.next(), theirs.next())
            while field != nil || other != nil {
                guard let next = field, other.map({ next.name <= $0.name }) ?? true else {
                    if let next = other { fields.add(next) }
                    other = theirs.next()
                    continue
                }
                if other?.name == next.name { other = theirs.next() }
                fields.add(next)
                field = mine.next()
            }
        }
    }

    /// A reader that reads each name and then its value.
    var reader: CBORReader { CBORReader(pairs) }

    /// Whether these fields are within the limits of one write; the merged fields of several writes may not be.
    package var canBeWritten: Bool { count <= Self.countMost && encodedCount <= Limits.writeBytes }

    /// Whether a receiver can read these fields.
    ///
    /// Fields that were made on this device may be nested too deeply.
    var isReadable: Bool {
        var reader = reader
        do throws(CBORError) {
            try reader.pairs(count, FieldName.skip) { (reader) throws(CBORError) in try reader.skip() }
            try reader.end()
            return count <= Self.countMost
        } catch {
            return false
        }
    }

    /// These fields, divided into parts; each part is within the limits of a write, with any scope.
    ///
    /// There is only one part, unless a faulty device made two writes with one dot.
    var parts: [Fields] {
        if count <= Self.countMost, encodedCount <= Limits.writeBytes - Scope.bytesMost { return [self] }
        var (parts, writer, bytes) = ([Fields](), FieldsWriter(), 0)
        for field in self {
            let size = field.name.encodedCount + field.value.count
            let isFull =
                writer.count == Self.countMost || bytes + size > Limits.writeBytes - 2 * Scope.bytesMost
            if isFull, writer.count > 0 {
                parts.append(Fields(writer))
                (writer, bytes) = (FieldsWriter(), 0)
            }
            writer.add(field)
            bytes += size
        }
        parts.append(Fields(writer))
        return parts
    }

    // MARK: Encoding

    /// The length of the encoding in bytes.
    package var encodedCount: Int { CBORWriter.headCount(UInt64(count)) + pairs.count }

    /// The encoding of these fields as a map.
    package var encoded: [UInt8] {
        var writer = CBORWriter(reserving: encodedCount)
        encode(to: &writer)
        return writer.bytes
    }

    package func encode(to writer: inout CBORWriter) {
        writer.map(count: count)
        writer.encoded(pairs)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        count = try reader.fieldCount()
        let start = reader.offset
        try reader.pairs(count, FieldName.skip) { (reader) throws(CBORError) in try reader.skip() }
        pairs = []
        // `Array(slice)` would check at run time whether it can share the storage of the slice. This takes longer.
        pairs += reader.bytes(since: start)
    }

    /// Creates fields from encoded pairs that were just read, and so are already validated.
    init(read pairs: ArraySlice<UInt8>, count: Int) {
        (self.pairs, self.count) = ([], count)
        self.pairs += pairs
    }
}

extension Fields: Sequence {
    /// The name of a field and its encoded value.
    package typealias Element = (name: FieldName, value: ArraySlice<UInt8>)

    package func makeIterator() -> Iterator { Iterator(pairs) }

    /// Iterates over fields in the order of their names.
    package struct Iterator: IteratorProtocol {
        private var reader: CBORReader
        private let count: Int

        fileprivate init(_ pairs: [UInt8]) { (reader, count) = (CBORReader(pairs), pairs.count) }

        package mutating func next() -> Element? {
            guard reader.offset < count else { return nil }
            do throws(CBORError) {
                return (try FieldName(from: &reader), try reader.encodedAndChecked())
            } catch {
                preconditionFailure("fields were checked when they were read: \(error)")
            }
        }
    }
}

/// Collects the fields of a write, in ascending order of their names.
package struct FieldsWriter {
    fileprivate var writer: CBORWriter
    fileprivate private(set) var count = 0
    private var last: FieldName?

    /// Creates a writer without fields, with room for this many bytes.
    package init(reserving capacity: Int = 0) { writer = CBORWriter(reserving: capacity) }

    /// Adds a field; the closure writes its value.
    package mutating func field(_ name: FieldName, _ write: (inout CBORWriter) -> Void) {
        precondition(last.map { $0 < name } ?? true, "fields are added in ascending order")
        (last, count) = (name, count + 1)
        name.encode(to: &writer)
        write(&writer)
    }

    /// Adds a numbered field; the closure writes its value.
    package mutating func field(_ number: UInt64, _ write: (inout CBORWriter) -> Void) {
        field(.number(number), write)
    }

    /// Adds a numbered field if `value` is not nil; the closure writes the value.
    package mutating func field<Value>(
        _ number: UInt64, _ value: Value?, _ write: (inout CBORWriter, Value) -> Void
    ) {
        guard let value else { return }
        field(number) { write(&$0, value) }
    }

    /// Adds a field unchanged.
    package mutating func add(_ field: Fields.Element) {
        self.field(field.name) { $0.encoded(field.value) }
    }
}

extension Fields {
    /// Passes each field to the closure, in the order of names; returns the fields that the closure did not read.
    ///
    /// For each field, the closure reads either the whole value or nothing. A field counts as unknown if the closure
    /// reads nothing.
    func read(
        _ read: (FieldName, inout CBORReader) throws(CBORError) -> Void
    ) throws(CBORError) -> Fields {
        var reader = reader
        let unknown = try reader.fields(count, read)
        try reader.end()
        return unknown
    }

    /// Reads the date in a numbered field; returns nil if there is no such field.
    func time(_ number: UInt64) throws(CBORError) -> WallTime? {
        try read(number) { (reader) throws(CBORError) in try WallTime(from: &reader) }
    }
}

extension CBORReader {
    /// Reads the head of a map of fields; returns the number of fields.
    mutating func fieldCount() throws(CBORError) -> Int {
        try count(of: .map, upTo: Fields.countMost, bytesEach: 2)
    }

    /// Reads `count` fields as `Fields.read` does, and validates them as `Fields.init(from:)` does.
    @inline(__always)
    mutating func fields(
        _ count: Int, _ read: (FieldName, inout CBORReader) throws(CBORError) -> Void
    ) throws(CBORError) -> Fields {
        var (unknown, name) = (FieldsWriter(), FieldName.expiration)
        try pairs(count) { (reader) throws(CBORError) in
            name = try FieldName(from: &reader)
        } value: { (reader) throws(CBORError) in
            let place = reader.position
            try read(name, &reader)
            if reader.position == place { unknown.add((name, try reader.encoded())) }
        }
        return Fields(unknown)
    }
}
