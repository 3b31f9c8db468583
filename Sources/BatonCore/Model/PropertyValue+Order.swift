// Members of sets and keys of dictionaries are written in the order of their encodings. Sorting neither encodes nor
// moves them: it sorts their indices, each with a number that tells most values apart.

extension PropertyValue {
    /// The sort key: the first bytes of a string's encoding, or the type of any other value; smaller ranks come first.
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

    /// Whether the encoding of one value comes before that of another with the same rank.
    fileprivate static func precedes(_ left: PropertyValue, _ right: PropertyValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): String.precedes(left, right)
        // Negative numbers are encoded by their distance from zero; the rank has separated them from the others.
        case (.integer(let left), .integer(let right)): left < 0 ? right < left : left < right
        default: left.encoded.lexicographicallyPrecedes(right.encoded)
        }
    }
}

extension CBORType {
    /// Values of this type come before those of the next.
    fileprivate var rank: UInt64 { UInt64(head) << 56 }
}

extension String {
    /// The sort key: the type, the length as far as a byte holds it, and the first six bytes; smaller ranks come first.
    fileprivate var rank: UInt64 {
        let rank = utf8.withContiguousStorageIfAvailable { bytes in
            var rank = UInt64(min(bytes.count, 0xff))
            for place in 0..<6 { rank = rank << 8 | (place < bytes.count ? UInt64(bytes[place]) : 0) }
            return rank
        }
        return CBORType.text.rank | (rank ?? String(decoding: utf8, as: UTF8.self).rank)
    }

    /// Whether one encoding comes before the other: the shorter one, or the one with smaller bytes.
    fileprivate static func precedes(_ left: String, _ right: String) -> Bool {
        let (count, other) = (left.utf8.count, right.utf8.count)
        return count == other ? left.utf8.lexicographicallyPrecedes(right.utf8) : count < other
    }
}

extension Collection {
    /// The indices of the elements, sorted by rank, and by the closure where ranks are equal.
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
    /// Calls the closure with each pair, in the order of the encoded keys.
    func forEachInOrder(_ body: (Element) -> Void) {
        for place in sortedIndices(rank: { $0.key.rank }, { PropertyValue.precedes($0.key, $1.key) }) {
            body(self[place.index])
        }
    }
}

extension Set<PropertyValue> {
    /// Calls the closure with each member, in the order of the encodings.
    func forEachInOrder(_ body: (Element) -> Void) {
        for place in sortedIndices(rank: \.rank, PropertyValue.precedes) { body(self[place.index]) }
    }
}

extension Set<String> {
    /// Calls the closure with each member, in the order of the encodings.
    func forEachInOrder(_ body: (Element) -> Void) {
        for place in sortedIndices(rank: \.rank, String.precedes) { body(self[place.index]) }
    }
}
