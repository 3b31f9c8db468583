// Two values are equal if their encodings are. Otherwise a set could hold values that the decoder refuses as duplicates
// (no NaN equals itself), and a dictionary could lose a key that only looks like another (`é` in two spellings).

extension PropertyValue: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)), (.url(let left), .url(let right)):
            left.hasBytes(of: right)
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)), (.date(let left), .date(let right)):
            left.canonicalBits == right.canonicalBits
        case (.boolean(let left), .boolean(let right)): left == right
        case (.data(let left), .data(let right)), (.uuid(let left), .uuid(let right)): left == right
        case (.null, .null): true
        case (.array(let left), .array(let right)): left == right
        case (.set(let left), .set(let right)): left == right
        case (.dictionary(let left), .dictionary(let right)): left == right
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        // Each value feeds its case, and each text its end. Otherwise a sender of nested values could choose many that
        // feed the hasher the same bytes, which no seed of the hasher would tell apart.
        switch self {
        case .string(let value): value.hashBytes(into: &hasher, after: 0)
        case .integer(let value): hasher.combine(value, of: 1)
        case .real(let value): hasher.combine(value.canonicalBits, of: 2)
        case .boolean(let value): hasher.combine(value, of: 3)
        case .data(let value): hasher.combine(value, of: 4)
        case .date(let value): hasher.combine(value.canonicalBits, of: 5)
        case .url(let value): value.hashBytes(into: &hasher, after: 6)
        case .uuid(let value): hasher.combine(value, of: 7)
        case .null: hasher.combine(8 as UInt8)
        case .array(let values): hasher.combine(values, of: 9)
        case .set(let values): hasher.combine(values, of: 10)
        case .dictionary(let pairs): hasher.combine(pairs, of: 11)
        }
    }
}

extension Double {
    /// The encoded bits of a number; all NaN values have the same.
    fileprivate var canonicalBits: UInt64 { isNaN ? Double.nan.bitPattern : bitPattern }
}

// Compare the bytes of a string in place: reading them one at a time takes many times as long.
extension String {
    fileprivate func hasBytes(of other: String) -> Bool {
        var (text, other) = (self, other)
        return text.withUTF8 { bytes in
            other.withUTF8 { UnsafeRawBufferPointer(bytes).hasBytes(of: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Feeds the bytes, after the number of the case and before a byte that no text contains.
    fileprivate func hashBytes(into hasher: inout Hasher, after kind: UInt8) {
        var text = self
        hasher.combine(kind)
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xff as UInt8)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the string has these bytes, compared eight at a time.
    fileprivate func hasBytes(of other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        let whole = count & ~7
        for place in stride(from: 0, to: whole, by: 8) {
            let (left, right) = (
                loadUnaligned(fromByteOffset: place, as: UInt64.self),
                other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            )
            if left != right { return false }
        }
        return (whole..<count).allSatisfy { self[$0] == other[$0] }
    }
}

extension Hasher {
    /// Feeds a case's value, after the number of the case.
    fileprivate mutating func combine(_ value: some Hashable, of kind: UInt8) {
        combine(kind)
        combine(value)
    }
}
