extension CBORReader {
    /// Reads null, which gives nil, or any other value, which the closure reads.
    mutating func optional<Value>(
        _ read: (inout CBORReader) throws(CBORError) -> Value
    ) throws(CBORError) -> Value? {
        guard nextIsNull else { return try read(&self) }
        try null()
        return nil
    }

    /// Reads the head of an array of at most `limit` values.
    package mutating func arrayCount(upTo limit: Int) throws(CBORError) -> Int {
        try count(of: .array, upTo: limit, bytesEach: 1)
    }

    /// Reads the head of an array of exactly `expected` values.
    package mutating func array(count expected: Int) throws(CBORError) {
        let start = offset
        guard try arrayCount(upTo: expected) == expected else { throw CBORError(.outOfRange, at: start) }
    }

    /// Reads an array of at most `limit` values; the closure reads each value.
    package mutating func array<Value>(
        upTo limit: Int, _ read: (inout CBORReader) throws(CBORError) -> Value
    ) throws(CBORError) -> [Value] {
        let count = try arrayCount(upTo: limit)
        var values: [Value] = []
        values.reserveCapacity(min(count, Self.trustedCount))
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }

    /// Reads an array of at most `limit` values as a set; the closure reads each value.
    ///
    /// The values must be in the order of their bytes, and each may occur only once. Otherwise, an error is thrown that
    /// has the offset `start`.
    mutating func set<Value: Hashable>(
        upTo limit: Int, of start: Int, _ read: (inout CBORReader) throws(CBORError) -> Value
    ) throws(CBORError) -> Set<Value> {
        let count = try arrayCount(upTo: limit)
        var values = Set<Value>(minimumCapacity: min(count, Self.trustedCount))
        var (last, isAscending) = (position..<position, true)
        for _ in 0..<count {
            let place = position
            values.insert(try read(&self))
            isAscending = isAscending && precedes(last, place..<position)
            last = place..<position
        }
        guard isAscending else { throw CBORError(.keysOutOfOrder, at: start) }
        return values
    }

    /// Reads a map of at most `limit` pairs; the closure reads each key and each value.
    ///
    /// The keys must be in the order of their bytes, and each may occur only once.
    package mutating func map(
        upTo limit: Int, _ read: (inout CBORReader) throws(CBORError) -> Void,
        value readValue: (inout CBORReader) throws(CBORError) -> Void
    ) throws(CBORError) {
        try pairs(try count(of: .map, upTo: limit, bytesEach: 2), read, value: readValue)
    }

    /// Reads the `count` pairs of a map whose head was read before.
    mutating func pairs(
        _ count: Int, _ read: (inout CBORReader) throws(CBORError) -> Void,
        value readValue: (inout CBORReader) throws(CBORError) -> Void
    ) throws(CBORError) {
        var last = position..<position
        for _ in 0..<count {
            let start = position
            try read(&self)
            try check(start..<position, follows: &last)
            try readValue(&self)
        }
    }

    /// Reads a map of at most `limit` pairs into a dictionary; the closures read each key and each value.
    mutating func dictionary<Key: Hashable, Value>(
        upTo limit: Int, _ read: (inout CBORReader) throws(CBORError) -> Key,
        value readValue: (inout CBORReader) throws(CBORError) -> Value
    ) throws(CBORError) -> [Key: Value] {
        let count = try count(of: .map, upTo: limit, bytesEach: 2)
        // `reserveCapacity` would do the same, but it would take many times as long, because it is not specialized for
        // these types.
        var dictionary = [Key: Value](minimumCapacity: min(count, Self.trustedCount))
        var last = position..<position
        for _ in 0..<count {
            let start = position
            let key = try read(&self)
            try check(start..<position, follows: &last)
            dictionary[key] = try readValue(&self)
        }
        return dictionary
    }

    /// Reads a map whose keys are numbers; the closure gets the number of each field.
    ///
    /// If the closure does not read the value of a field, the value is skipped.
    package mutating func fields(
        _ read: (UInt64, inout CBORReader) throws(CBORError) -> Void
    ) throws(CBORError) {
        var last: UInt64?
        for _ in 0..<(try count(of: .map, upTo: 64, bytesEach: 2)) {
            let start = offset
            let number = try unsigned()
            // Numbers have the same order as their encodings, so comparing the numbers suffices.
            if let last, number <= last { throw CBORError(.keysOutOfOrder, at: start) }
            last = number
            let place = position
            try read(number, &self)
            if position == place { try skip() }
        }
    }

    // MARK: Whole values, unread

    /// Validates the next value without decoding it, and returns its bytes.
    package mutating func encoded() throws(CBORError) -> ArraySlice<UInt8> {
        let start = position
        try skip()
        return bytes[start..<position]
    }

    /// Returns the bytes between an earlier offset of the reader and its present one.
    func bytes(since offset: Int) -> ArraySlice<UInt8> { bytes[bytes.startIndex + offset..<position] }

    /// Returns the bytes of the next value, which was validated before.
    ///
    /// The order of its keys and the encoding of its text are not checked again.
    mutating func encodedAndChecked() throws(CBORError) -> ArraySlice<UInt8> {
        let start = position
        try skipChecked()
        return bytes[start..<position]
    }

    /// Skips the next value, which was validated before.
    mutating func skipChecked() throws(CBORError) {
        var pending = 1
        while pending > 0 {
            pending -= 1
            guard let type = nextType else { throw CBORError(.truncated, at: offset) }
            switch type {
            case .unsigned, .negative: _ = try argument(of: type)
            case .bytes, .text: _ = try range(of: type, upTo: .max)
            case .array: pending += try arrayCount(upTo: .max)
            case .map: pending += 2 * (try count(of: .map, upTo: .max, bytesEach: 2))
            case .tag:
                _ = try tag()
                pending += 1
            case .simple: try skip()
            }
        }
    }

    /// Skips the next value, which must be well-formed and deterministic.
    package mutating func skip(depth: Int = 0) throws(CBORError) {
        guard depth <= Limits.nestingDepth else { throw CBORError(.tooDeep, at: offset) }
        guard let type = nextType else { throw CBORError(.truncated, at: offset) }
        switch type {
        case .unsigned, .negative: _ = try argument(of: type)
        case .bytes: _ = try range(of: .bytes, upTo: .max)
        case .text: try skipText()
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

    // MARK: Parts

    /// The largest number of values for which memory is reserved because of an announced count alone.
    ///
    /// Each of many nested arrays may announce a count as large as the number of remaining bytes. And a value in memory
    /// is larger than a byte.
    static let trustedCount = 64

    /// Throws if a key does not come after the previous key in the order of bytes.
    @inline(__always)
    private func check(_ key: Range<Int>, follows last: inout Range<Int>) throws(CBORError) {
        guard precedes(last, key) else {
            throw CBORError(.keysOutOfOrder, at: key.lowerBound - bytes.startIndex)
        }
        last = key
    }

    /// Whether the bytes in the range `left` come before the bytes in the range `right`.
    private func precedes(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        guard !left.isEmpty, !right.isEmpty else { return left.isEmpty && !right.isEmpty }
        // The first byte has the type and, for most values, the length. So it nearly always decides.
        let (head, other) = (bytes[left.lowerBound], bytes[right.lowerBound])
        return head == other ? bytes[left].lexicographicallyPrecedes(bytes[right]) : head < other
    }
}

extension Optional {
    /// Returns the value of a required field; throws if it is missing.
    func required(_ number: UInt64) throws(CBORError) -> Wrapped {
        guard let self else { throw CBORError(.missingField(number), at: 0) }
        return self
    }
}
