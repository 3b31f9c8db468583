extension CBORReader {
    package mutating func text(upTo limit: Int = .max) throws(CBORError) -> String {
        let start = offset
        let range = try range(of: .text, upTo: limit)
        let text = bytes.span.extracting(offsets(range))
        // What has just been looked through is not looked through again.
        if text.isASCII { return String(copying: UTF8Span(unchecked: text, isKnownASCII: true)) }
        do { return String(copying: try UTF8Span(validating: text)) } catch {
            throw CBORError(.invalidText, at: start)
        }
    }

    /// Reads text without keeping it, and says whether it is the one expected, byte for byte.
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
        // Not the one, or its bytes do not stand in a row; either way it must be text.
        self = start
        return try self.text().utf8.elementsEqual(expected.utf8)
    }

    /// Moves past text, which must be UTF-8.
    mutating func skipText() throws(CBORError) {
        let start = offset
        let range = try range(of: .text, upTo: .max)
        let text = bytes.span.extracting(offsets(range))
        guard !text.isASCII else { return }
        do { _ = try UTF8Span(validating: text) } catch { throw CBORError(.invalidText, at: start) }
    }

    /// Where a range of places stands, counted from the first byte.
    func offsets(_ range: Range<Int>) -> Range<Int> {
        range.lowerBound - bytes.startIndex..<range.upperBound - bytes.startIndex
    }
}

extension Span<UInt8> {
    /// Whether no byte is beyond ASCII: eight at once, because most text is short and a call for each would cost more.
    fileprivate var isASCII: Bool {
        var bits: UInt64 = 0
        if count < 8 {
            for place in 0..<count { bits |= UInt64(self[place]) }
        } else {
            var place = 0
            while place < count {
                // Every pattern of bits is an integer. The last eight bytes may in part be looked at twice.
                let start = Swift.min(place, count &- 8)
                bits |= bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
                place &+= 8
            }
        }
        return bits & 0x8080_8080_8080_8080 == 0
    }
}
