/// A value of a property list, as in activities and attributes on Apple's systems.
///
/// Integers, reals and booleans are distinct types, so `1` and `1.0` are different values.
///
/// Two values are equal if their encodings are equal.
package enum PropertyValue: Sendable {
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
}

// Two values are equal if their encodings are equal. Otherwise, a set could contain values that the decoder rejects as
// duplicates, because no NaN equals itself. A dictionary could also lose a key that only looks the same as another one,
// such as `é` in two spellings.

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
        // Each value feeds the number of its case to the hasher, and each text feeds an end mark. Otherwise, a sender
        // could choose many nested values that feed the same bytes to the hasher. Their hashes would be equal whatever
        // the hasher's seed is.
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
    /// The bits by which numbers are compared and encoded.
    ///
    /// All NaN values have the same bits.
    fileprivate var canonicalBits: UInt64 { isNaN ? Double.nan.bitPattern : bitPattern }
}

// The bytes of a string are compared in place. Reading them one at a time would take many times as long.
extension String {
    fileprivate func hasBytes(of other: String) -> Bool {
        var (text, other) = (self, other)
        return text.withUTF8 { bytes in
            other.withUTF8 { UnsafeRawBufferPointer(bytes).hasBytes(of: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Feeds the string's bytes to the hasher.
    ///
    /// The number of the case comes before the bytes. A byte that no text contains comes after them.
    fileprivate func hashBytes(into hasher: inout Hasher, after kind: UInt8) {
        var text = self
        hasher.combine(kind)
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xff as UInt8)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether both buffers have the same bytes.
    ///
    /// It compares eight bytes at a time.
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
    /// Feeds the number of a case and then its value to the hasher.
    fileprivate mutating func combine(_ value: some Hashable, of kind: UInt8) {
        combine(kind)
        combine(value)
    }
}

// Members of sets and keys of dictionaries are written in the order of their encodings. To sort them, they are neither
// moved nor, in most cases, encoded. Instead, their indices are sorted by a rank, and the rank distinguishes most
// values.

extension PropertyValue {
    /// The sort key: the first bytes of a string's encoding, or the type of any other value.
    ///
    /// Values with smaller ranks come first.
    fileprivate var rank: UInt64 {
        switch self {
        case .string(let value): value.rank
        case .integer(let value): value < 0 ? CBORType.negative.rank : CBORType.unsigned.rank
        case .data: CBORType.bytes.rank
        case .array: CBORType.array.rank
        case .dictionary: CBORType.map.rank
        case .date, .url, .uuid, .set: CBORType.tag.rank
        case .real, .boolean, .null: CBORType.simple.rank
        }
    }

    /// Whether the encoding of the left value comes before that of the right value.
    ///
    /// Both values must have the same rank.
    fileprivate static func precedes(_ left: PropertyValue, _ right: PropertyValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): String.precedes(left, right)
        // Negative numbers are encoded by their distance from zero, so a larger number comes first. Both numbers have
        // the same sign, because their ranks are equal.
        case (.integer(let left), .integer(let right)): left < 0 ? right < left : left < right
        default: left.encoded.lexicographicallyPrecedes(right.encoded)
        }
    }
}

extension CBORType {
    /// The rank of all values of the type.
    ///
    /// Types with smaller numbers have smaller ranks.
    fileprivate var rank: UInt64 { UInt64(head) << 56 }
}

extension String {
    /// The sort key: the type, the length (at most 255), and the first six bytes.
    ///
    /// Strings with smaller ranks come first.
    fileprivate var rank: UInt64 {
        let rank = utf8.withContiguousStorageIfAvailable { bytes in
            var rank = UInt64(min(bytes.count, 0xff))
            for place in 0..<6 { rank = rank << 8 | (place < bytes.count ? UInt64(bytes[place]) : 0) }
            return rank
        }
        return CBORType.text.rank | (rank ?? String(decoding: utf8, as: UTF8.self).rank)
    }

    /// Whether the encoding of the left string comes before that of the right one.
    ///
    /// The encoding of a shorter string comes first. If the lengths are equal, the bytes decide.
    fileprivate static func precedes(_ left: String, _ right: String) -> Bool {
        let (count, other) = (left.utf8.count, right.utf8.count)
        return count == other ? left.utf8.lexicographicallyPrecedes(right.utf8) : count < other
    }
}

extension Collection {
    /// The indices of the elements, sorted by rank.
    ///
    /// Elements with equal ranks are sorted by the closure.
    fileprivate func sortedIndices(
        rank: (Element) -> UInt64, _ precedes: (Element, Element) -> Bool
    ) -> [(rank: UInt64, index: Index)] {
        var places: [(rank: UInt64, index: Index)] = []
        places.reserveCapacity(count)
        for index in indices { places.append((rank(self[index]), index)) }
        places.sort { left, right in
            left.rank == right.rank ? precedes(self[left.index], self[right.index]) : left.rank < right.rank
        }
        return places
    }
}

extension Dictionary<PropertyValue, PropertyValue> {
    /// Calls the closure with each pair, sorted by the encodings of the keys.
    func forEachInOrder(_ body: (Element) -> Void) {
        for place in sortedIndices(rank: { $0.key.rank }, { PropertyValue.precedes($0.key, $1.key) }) {
            body(self[place.index])
        }
    }
}

extension Set<PropertyValue> {
    /// Calls the closure with each member, sorted by the encodings of the members.
    func forEachInOrder(_ body: (Element) -> Void) {
        for place in sortedIndices(rank: \.rank, PropertyValue.precedes) { body(self[place.index]) }
    }
}

extension Set<String> {
    /// Calls the closure with each member, sorted by the encodings of the members.
    func forEachInOrder(_ body: (Element) -> Void) {
        for place in sortedIndices(rank: \.rank, String.precedes) { body(self[place.index]) }
    }
}
