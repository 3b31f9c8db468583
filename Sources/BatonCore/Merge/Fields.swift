/// Names a field of a record: a number that the specification gives, or text that an app chose.
package enum FieldName: Hashable, Comparable, Sendable {
    case number(UInt64)
    /// The text's UTF-8, because names that only look alike are different names.
    case custom([UInt8])
    /// A part of a numbered field that belongs to one device, such as its counter.
    case part(UInt64, DeviceIdentifier)

    /// When the record expires, in milliseconds since 1970, whatever its kind.
    package static let expiration = FieldName.number(0)

    /// How many bytes the encoding has.
    var encodedCount: Int {
        switch self {
        case .number(let number): CBORWriter.headCount(number)
        case .custom(let text): CBORWriter.headCount(UInt64(text.count)) + text.count
        case .part(let number, _): 1 + CBORWriter.headCount(number) + 1 + DeviceIdentifier.byteCount
        }
    }

    /// The order of the encoded names.
    package static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left < right
        case (.custom(let left), .custom(let right)):
            left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
        case (.part(let left, let device), .part(let right, let other)): (left, device) < (right, other)
        case (.number, _), (.custom, .part): true
        case (.part, _), (.custom, .number): false
        }
    }

    func encode(to writer: inout CBORWriter) {
        switch self {
        case .number(let number): writer.unsigned(number)
        case .custom(let text): writer.text(utf8: text)
        case .part(let number, let device):
            writer.array(count: 2)
            writer.unsigned(number)
            writer.identifier(device)
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        switch reader.nextType {
        case .text: self = .custom(Array(try reader.text().utf8))
        case .array:
            try reader.array(count: 2)
            self = .part(try reader.unsigned(), try reader.identifier())
        default: self = .number(try reader.unsigned())
        }
    }
}

/// The fields of a write: encoded values by name.
///
/// What a value means is the business of who reads it, so fields that nobody here understands are kept byte
/// for byte.
package struct Fields: Equatable, Sendable {
    /// In ascending order of names.
    package private(set) var entries: [(name: FieldName, value: [UInt8])] = []

    package init() {}

    package static func == (left: Self, right: Self) -> Bool {
        left.entries.elementsEqual(right.entries) { $0.name == $1.name && $0.value == $1.value }
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// How many bytes the values have.
    package var byteCount: Int { entries.reduce(0) { $0 + $1.value.count } }

    /// The encoded value of a field, if it is there; setting nothing removes it.
    package subscript(name: FieldName) -> [UInt8]? {
        get {
            let place = place(of: name)
            return place < entries.count && entries[place].name == name ? entries[place].value : nil
        }
        set {
            let place = place(of: name)
            let stands = place < entries.count && entries[place].name == name
            switch (stands, newValue) {
            case (true, let value?): entries[place].value = value
            case (true, nil): entries.remove(at: place)
            case (false, let value?): entries.insert((name, value), at: place)
            case (false, nil): break
            }
        }
    }

    /// Sets a numbered field to what the closure writes.
    package mutating func set(_ number: UInt64, _ write: (inout CBORWriter) -> Void) {
        var writer = CBORWriter()
        write(&writer)
        self[.number(number)] = writer.bytes
    }

    /// Sets a numbered field if there is a value for it, and removes it otherwise.
    package mutating func set<Value>(
        _ number: UInt64, _ value: Value?, _ write: (inout CBORWriter, Value) -> Void
    ) {
        guard let value else { return self[.number(number)] = nil }
        set(number) { write(&$0, value) }
    }

    /// Reads a numbered field if it is there.
    package func read<Value>(
        _ number: UInt64, _ read: (inout CBORReader) throws(CBORError) -> Value
    ) throws(CBORError) -> Value? {
        guard let value = self[.number(number)] else { return nil }
        return try CBORReader.whole(value[...], read)
    }

    private func place(of name: FieldName) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// How many bytes the encoding has.
    package var encodedCount: Int {
        entries.reduce(CBORWriter.headCount(UInt64(entries.count))) {
            $0 + $1.name.encodedCount + $1.value.count
        }
    }

    /// The encoding of these fields alone.
    package var encoded: [UInt8] {
        var writer = CBORWriter(reserving: encodedCount)
        encode(to: &writer)
        return writer.bytes
    }

    package func encode(to writer: inout CBORWriter) {
        writer.map(count: entries.count)
        for (name, value) in entries {
            name.encode(to: &writer)
            writer.encoded(value)
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var (name, entries) = (FieldName.number(0), [(name: FieldName, value: [UInt8])]())
        try reader.map(upTo: Limits.writeBytes) { (reader) throws(CBORError) in
            name = try FieldName(from: &reader)
        } value: { (reader) throws(CBORError) in
            entries.append((name, Array(try reader.encoded())))
        }
        self.entries = entries
    }
}
