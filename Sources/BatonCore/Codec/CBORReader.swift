/// Reads deterministic CBOR and refuses everything else, saying where.
///
/// Lengths are checked against what is left before memory is taken for them, so a reader never
/// allocates more than it was given. Each method reads one value and moves past it.
package struct CBORReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    package init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    /// Reads one value that must be all there is.
    package static func whole<Value>(
        _ bytes: ArraySlice<UInt8>, _ read: (inout CBORReader) throws(CBORError) -> Value
    ) throws(CBORError) -> Value {
        var reader = CBORReader(bytes)
        let value = try read(&reader)
        try reader.end()
        return value
    }

    // MARK: Queries

    /// How far the reader has come from the first byte.
    package var offset: Int { position - bytes.startIndex }

    /// The type of the value that comes next; nothing at the end.
    var nextType: CBORType? {
        position < bytes.endIndex ? CBORType(rawValue: bytes[position] >> 5) : nil
    }

    /// Whether null comes next.
    package var nextIsNull: Bool { position < bytes.endIndex && bytes[position] == 0xf6 }

    /// Whether a boolean comes next.
    package var nextIsBoolean: Bool {
        position < bytes.endIndex && (bytes[position] == 0xf4 || bytes[position] == 0xf5)
    }

    // MARK: Single values

    package mutating func unsigned(upTo limit: UInt64 = .max) throws(CBORError) -> UInt64 {
        let start = offset
        let value = try argument(of: .unsigned)
        guard value <= limit else { throw CBORError(.outOfRange, at: start) }
        return value
    }

    package mutating func integer() throws(CBORError) -> Int64 {
        let start = offset
        let negative = nextType == .negative
        guard let value = Int64(exactly: try argument(of: negative ? .negative : .unsigned)) else {
            throw CBORError(.outOfRange, at: start)
        }
        return negative ? ~value : value
    }

    package mutating func data(upTo limit: Int = .max) throws(CBORError) -> [UInt8] {
        Array(try slice(of: .bytes, upTo: limit))
    }

    /// Reads bytes without a copy of their own.
    mutating func slice(upTo limit: Int) throws(CBORError) -> ArraySlice<UInt8> {
        try slice(of: .bytes, upTo: limit)
    }

    package mutating func data(count: Int) throws(CBORError) -> [UInt8] {
        let (start, value) = (offset, try data(upTo: count))
        guard value.count == count else { throw CBORError(.outOfRange, at: start) }
        return value
    }

    package mutating func identifier<Name: Identifier>(_: Name.Type = Name.self) throws(CBORError) -> Name {
        let start = offset
        guard let value = Name(bytes: try slice(of: .bytes, upTo: Name.byteCount)) else {
            throw CBORError(.outOfRange, at: start)
        }
        return value
    }

    package mutating func text(upTo limit: Int = .max) throws(CBORError) -> String {
        let start = offset
        guard let value = String(validating: try slice(of: .text, upTo: limit), as: UTF8.self) else {
            throw CBORError(.invalidText, at: start)
        }
        return value
    }

    package mutating func boolean() throws(CBORError) -> Bool {
        switch try byte() {
        case 0xf4: return false
        case 0xf5: return true
        default: throw CBORError(.unexpectedType, at: offset - 1)
        }
    }

    package mutating func null() throws(CBORError) {
        guard try byte() == 0xf6 else { throw CBORError(.unexpectedType, at: offset - 1) }
    }

    package mutating func real() throws(CBORError) -> Double {
        let start = offset
        let value: Double
        switch try byte() {
        case 0xf9: value = Double(Float16(bitPattern: UInt16(try bigEndian(count: 2, of: start))))
        case 0xfa: value = Double(Float(bitPattern: UInt32(try bigEndian(count: 4, of: start))))
        case 0xfb: value = Double(bitPattern: try bigEndian(count: 8, of: start))
        default: throw CBORError(.unexpectedType, at: start)
        }
        var canonical = CBORWriter()
        canonical.real(value)
        let read = bytes[bytes.startIndex + start..<position]
        guard canonical.bytes.elementsEqual(read) else { throw CBORError(.notCanonical, at: start) }
        return value
    }

    package mutating func tag() throws(CBORError) -> UInt64 { try argument(of: .tag) }

    // MARK: Containers

    /// Reads the head of an array of at most that many values.
    package mutating func arrayCount(upTo limit: Int) throws(CBORError) -> Int {
        try count(of: .array, upTo: limit, bytesEach: 1)
    }

    /// Reads the head of an array of exactly that many values.
    package mutating func array(count expected: Int) throws(CBORError) {
        let start = offset
        guard try arrayCount(upTo: expected) == expected else { throw CBORError(.outOfRange, at: start) }
    }

    /// Reads an array of at most that many values, each by the closure.
    package mutating func array<Value>(
        upTo limit: Int, _ read: (inout CBORReader) throws(CBORError) -> Value
    ) throws(CBORError) -> [Value] {
        let count = try arrayCount(upTo: limit)
        var values: [Value] = []
        // Nested arrays may each promise all the bytes that are left, and a value is larger than a byte.
        values.reserveCapacity(min(count, Self.trustedCount))
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }

    /// Reads a map of at most that many pairs; the closure reads each key and each value.
    ///
    /// Keys must come in the order of their bytes, each once.
    package mutating func map(
        upTo limit: Int, _ read: (inout CBORReader) throws(CBORError) -> Void,
        value readValue: (inout CBORReader) throws(CBORError) -> Void
    ) throws(CBORError) {
        let count = try count(of: .map, upTo: limit, bytesEach: 2)
        var last: Range<Int>?
        for _ in 0..<count {
            let start = position
            try read(&self)
            let key = start..<position
            if let last, !bytes[last].lexicographicallyPrecedes(bytes[key]) {
                throw CBORError(.keysOutOfOrder, at: start - bytes.startIndex)
            }
            last = key
            try readValue(&self)
        }
    }

    /// Reads a map with numbers as keys; a field whose value the closure did not read is passed over.
    package mutating func fields(
        _ read: (UInt64, inout CBORReader) throws(CBORError) -> Void
    ) throws(CBORError) {
        var number: UInt64 = 0
        try map(upTo: 64) { (reader) throws(CBORError) in
            number = try reader.unsigned()
        } value: { (reader) throws(CBORError) in
            let start = reader.position
            try read(number, &reader)
            if reader.position == start { try reader.skip() }
        }
    }

    // MARK: Whole values, unread

    /// The bytes of the next value, which is checked but not looked into.
    package mutating func encoded() throws(CBORError) -> ArraySlice<UInt8> {
        let start = position
        try skip()
        return bytes[start..<position]
    }

    /// What was read since the reader was at that offset.
    func bytes(since offset: Int) -> ArraySlice<UInt8> { bytes[bytes.startIndex + offset..<position] }

    /// Moves past the next value, which must be well-formed and deterministic.
    package mutating func skip(depth: Int = 0) throws(CBORError) {
        guard depth <= Limits.nestingDepth else { throw CBORError(.tooDeep, at: offset) }
        guard let type = nextType else { throw CBORError(.truncated, at: offset) }
        switch type {
        case .unsigned, .negative: _ = try argument(of: type)
        case .bytes: _ = try slice(of: .bytes, upTo: .max)
        case .text: _ = try text()
        case .array:
            for _ in 0..<(try arrayCount(upTo: .max)) { try skip(depth: depth + 1) }
        case .map:
            try map(upTo: .max) { (reader) throws(CBORError) in
                try reader.skip(depth: depth + 1)
            } value: { (reader) throws(CBORError) in
                try reader.skip(depth: depth + 1)
            }
        case .tag:
            _ = try tag()
            try skip(depth: depth + 1)
        case .simple:
            switch bytes[position] {
            case 0xf4, 0xf5, 0xf6: position += 1
            default: _ = try real()
            }
        }
    }

    /// Refuses bytes behind the last value.
    package func end() throws(CBORError) {
        guard position == bytes.endIndex else { throw CBORError(.trailingBytes, at: offset) }
    }

    // MARK: Parts of values

    /// For how many values memory is taken on their word alone.
    private static let trustedCount = 64

    private mutating func byte() throws(CBORError) -> UInt8 {
        guard position < bytes.endIndex else { throw CBORError(.truncated, at: offset) }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a number of that many bytes, which belongs to the value that begins at `start`.
    private mutating func bigEndian(count: Int, of start: Int) throws(CBORError) -> UInt64 {
        guard bytes.endIndex - position >= count else { throw CBORError(.truncated, at: start) }
        defer { position += count }
        return bytes[position..<position + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func argument(of type: CBORType) throws(CBORError) -> UInt64 {
        let start = offset
        guard let next = nextType else { throw CBORError(.truncated, at: start) }
        guard next == type else { throw CBORError(.unexpectedType, at: start) }
        let (count, least): (Int, UInt64)
        switch try byte() & 31 {
        case let short where short < 24: return UInt64(short)
        case 24: (count, least) = (1, 24)
        case 25: (count, least) = (2, 0x100)
        case 26: (count, least) = (4, 0x1_0000)
        case 27: (count, least) = (8, 0x1_0000_0000)
        default: throw CBORError(.notCanonical, at: start)
        }
        let value = try bigEndian(count: count, of: start)
        guard value >= least else { throw CBORError(.notCanonical, at: start) }
        return value
    }

    private mutating func slice(of type: CBORType, upTo limit: Int) throws(CBORError) -> ArraySlice<UInt8> {
        let count = try count(of: type, upTo: limit, bytesEach: 1)
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Reads a length that the limit and the bytes that are left allow.
    private mutating func count(of type: CBORType, upTo limit: Int, bytesEach: Int) throws(CBORError) -> Int {
        let start = offset
        let value = try argument(of: type)
        guard value <= UInt64(limit) else { throw CBORError(.outOfRange, at: start) }
        guard value <= UInt64((bytes.endIndex - position) / bytesEach) else {
            throw CBORError(.truncated, at: start)
        }
        return Int(value)
    }
}

extension Optional {
    /// The value of a field that must have been there.
    package func required(_ number: UInt64, in reader: CBORReader) throws(CBORError) -> Wrapped {
        guard let self else { throw CBORError(.missingField(number), at: reader.offset) }
        return self
    }
}
