/// Reads deterministic CBOR; throws an error with the offset of the fault if the bytes are anything else.
///
/// Each method reads one value and moves past it. A length is checked against the number of remaining bytes before
/// memory is allocated. So a large announced length can't make the reader allocate much memory.
package struct CBORReader {
    let bytes: ArraySlice<UInt8>
    var position: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    package init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    /// Reads a single value, which must fill all bytes.
    package static func whole<Value>(
        _ bytes: ArraySlice<UInt8>, _ read: (inout CBORReader) throws(CBORError) -> Value
    ) throws(CBORError) -> Value {
        var reader = CBORReader(bytes)
        let value = try read(&reader)
        try reader.end()
        return value
    }

    /// Throws an error if bytes follow the last value that was read.
    package func end() throws(CBORError) {
        guard position == bytes.endIndex else { throw CBORError(.trailingBytes, at: offset) }
    }

    // MARK: Queries

    /// The number of bytes from the first byte to the reader's position.
    package var offset: Int { position &- bytes.startIndex }

    /// The type of the next value; nil at the end.
    @inline(__always)
    package var nextType: CBORType? {
        position < bytes.endIndex ? CBORType(of: bytes[position]) : nil
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
        // `Array(slice)` would check at run time whether it can share the storage of the slice. This takes longer.
        var data: [UInt8] = []
        data += bytes[try range(of: .bytes, upTo: limit)]
        return data
    }

    /// Reads bytes without copying them.
    mutating func slice(upTo limit: Int) throws(CBORError) -> ArraySlice<UInt8> {
        bytes[try range(of: .bytes, upTo: limit)]
    }

    /// Reads data that must have exactly this length.
    package mutating func data(count expected: Int) throws(CBORError) -> [UInt8] {
        let start = offset
        let range = try range(of: .bytes, upTo: expected)
        guard range.count == expected else { throw CBORError(.outOfRange, at: start) }
        return Array(bytes[range])
    }

    package mutating func identifier<Name: Identifier>(_: Name.Type = Name.self) throws(CBORError) -> Name {
        let start = offset
        guard try count(of: .bytes, upTo: Name.byteCount, bytesEach: 1) == Name.byteCount else {
            throw CBORError(.outOfRange, at: start)
        }
        let high = try bigEndian(UInt64.self, of: start)
        return Name(high: high, low: try bigEndian(UInt64.self, of: start))
    }

    package mutating func boolean() throws(CBORError) -> Bool {
        switch try byte() {
        case 0xf4: return false
        case 0xf5: return true
        default: throw CBORError(.unexpectedType, at: offset - 1)
        }
    }

    /// Reads the value of a flag, which must be `true`; a flag that is not set has no field.
    package mutating func flag() throws(CBORError) -> Bool {
        guard try boolean() else { throw CBORError(.outOfRange, at: offset - 1) }
        return true
    }

    package mutating func null() throws(CBORError) {
        guard try byte() == 0xf6 else { throw CBORError(.unexpectedType, at: offset - 1) }
    }

    package mutating func real() throws(CBORError) -> Double {
        let start = offset
        let (value, bits): (Double, UInt64)
        let head = try byte()
        switch head {
        case 0xf9:
            let half = try bigEndian(UInt16.self, of: start)
            (value, bits) = (Double(Float16(bitPattern: half)), UInt64(half))
        case 0xfa:
            let single = try bigEndian(UInt32.self, of: start)
            (value, bits) = (Double(Float(bitPattern: single)), UInt64(single))
        case 0xfb:
            bits = try bigEndian(UInt64.self, of: start)
            value = Double(bitPattern: bits)
        default: throw CBORError(.unexpectedType, at: start)
        }
        let canonical = CBORReal(value)
        guard canonical.head == head, canonical.bits == bits else {
            throw CBORError(.notCanonical, at: start)
        }
        return value
    }

    package mutating func tag() throws(CBORError) -> UInt64 { try argument(of: .tag) }
}

// MARK: Parts of values

extension CBORReader {
    /// Reads a length or a count, which must be at most `limit`.
    ///
    /// There must be enough remaining bytes, if each counted thing takes at least `bytesEach` bytes.
    @inline(__always)
    mutating func count(of type: CBORType, upTo limit: Int, bytesEach: UInt64) throws(CBORError) -> Int {
        let start = offset
        let value = try argument(of: type)
        guard value <= UInt64(limit) else { throw CBORError(.outOfRange, at: start) }
        guard value <= UInt64(bytes.endIndex &- position) / bytesEach else {
            throw CBORError(.truncated, at: start)
        }
        return Int(truncatingIfNeeded: value)
    }

    /// Reads a length, and returns the range of the bytes after it.
    ///
    /// The reader moves past these bytes. An error is thrown if there are fewer bytes.
    @inline(__always)
    mutating func range(of type: CBORType, upTo limit: Int) throws(CBORError) -> Range<Int> {
        let count = try count(of: type, upTo: limit, bytesEach: 1)
        defer { position += count }
        return position..<position + count
    }

    private mutating func byte() throws(CBORError) -> UInt8 {
        guard position < bytes.endIndex else { throw CBORError(.truncated, at: offset) }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads the number in the head of a value, which is the value itself, a length, a count or a tag.
    @inline(__always)
    mutating func argument(of type: CBORType) throws(CBORError) -> UInt64 {
        // If the type is right, the exclusive or leaves the low five bits. A result below 24 is the number itself, and
        // no bytes of the number follow.
        guard position < bytes.endIndex, case let number = bytes[position] ^ type.head, number < 24 else {
            return try longArgument(of: type)
        }
        position &+= 1
        return UInt64(number)
    }

    private mutating func longArgument(of type: CBORType) throws(CBORError) -> UInt64 {
        let start = offset
        let number = try byte() ^ type.head
        guard number < 32 else { throw CBORError(.unexpectedType, at: start) }
        let (value, least): (UInt64, UInt64)
        switch number {
        case 24: (value, least) = (UInt64(try bigEndian(UInt8.self, of: start)), 24)
        case 25: (value, least) = (UInt64(try bigEndian(UInt16.self, of: start)), 0x100)
        case 26: (value, least) = (UInt64(try bigEndian(UInt32.self, of: start)), 0x1_0000)
        case 27: (value, least) = (try bigEndian(UInt64.self, of: start), 0x1_0000_0000)
        default: throw CBORError(.notCanonical, at: start)
        }
        guard value >= least else { throw CBORError(.notCanonical, at: start) }
        return value
    }

    /// Reads a big-endian number, which is a part of the value that begins at the offset `start`.
    @inline(__always)
    private mutating func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(
        _: Number.Type, of start: Int
    ) throws(CBORError) -> Number {
        let count = MemoryLayout<Number>.size
        guard bytes.endIndex &- position >= count else { throw CBORError(.truncated, at: start) }
        // Loading without checks is safe, because every bit pattern is an integer.
        let number = bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self)
        position &+= count
        return Number(bigEndian: number)
    }
}

extension Optional {
    /// Returns the value of a required field; throws an error if the field was missing.
    package func required(_ number: UInt64, in reader: CBORReader) throws(CBORError) -> Wrapped {
        guard let self else { throw CBORError(.missingField(number), at: reader.offset) }
        return self
    }
}

extension CBORReader {
    package mutating func text(upTo limit: Int = .max) throws(CBORError) -> String {
        let start = offset
        let range = try range(of: .text, upTo: limit)
        let text = bytes.span.extracting(offsets(range))
        // The bytes are ASCII, so they need not be validated as UTF-8.
        if text.isASCII { return String(copying: UTF8Span(unchecked: text, isKnownASCII: true)) }
        do { return String(copying: try UTF8Span(validating: text)) } catch {
            throw CBORError(.invalidText, at: start)
        }
    }

    /// Reads text without storing it; returns whether the text equals the expected text byte for byte.
    mutating func text(is expected: String) throws(CBORError) -> Bool {
        let start = self
        let range = try range(of: .text, upTo: .max)
        let isExpected = expected.utf8.withContiguousStorageIfAvailable { expected in
            guard range.count == expected.count else { return false }
            for place in expected.indices where bytes[range.lowerBound &+ place] != expected[place] {
                return false
            }
            return true
        }
        if isExpected == true { return true }
        // The text differs, or the expected text is not contiguous in memory. In both cases, the text must be checked
        // for valid UTF-8.
        self = start
        return try self.text().utf8.elementsEqual(expected.utf8)
    }

    /// Skips text, which must be UTF-8.
    mutating func skipText() throws(CBORError) {
        let start = offset
        let range = try range(of: .text, upTo: .max)
        let text = bytes.span.extracting(offsets(range))
        guard !text.isASCII else { return }
        do { _ = try UTF8Span(validating: text) } catch { throw CBORError(.invalidText, at: start) }
    }

    /// Converts a range of positions in `bytes` into offsets from the first byte.
    func offsets(_ range: Range<Int>) -> Range<Int> {
        range.lowerBound - bytes.startIndex..<range.upperBound - bytes.startIndex
    }
}

extension Span<UInt8> {
    /// Whether all bytes are ASCII.
    ///
    /// The bytes are checked eight at a time. Most text is short, so a call for each text would take longer.
    fileprivate var isASCII: Bool {
        var bits: UInt64 = 0
        if count < 8 {
            for place in 0..<count { bits |= UInt64(self[place]) }
        } else {
            var place = 0
            while place < count {
                // Every bit pattern is an integer. The last eight bytes may overlap bytes that were checked before.
                let start = Swift.min(place, count &- 8)
                bits |= bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
                place &+= 8
            }
        }
        return bits & 0x8080_8080_8080_8080 == 0
    }
}
