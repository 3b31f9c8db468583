extension CBORReader {
    package mutating func text(upTo limit: Int = .max) throws(CBORError) -> String {
        let start = offset
        let range = try range(of: .text, upTo: limit)
        let text = bytes.span.extracting(offsets(range))
        // The bytes were just checked, so they are not checked again.
        if text.isASCII { return String(copying: UTF8Span(unchecked: text, isKnownASCII: true)) }
        do { return String(copying: try UTF8Span(validating: text)) } catch {
            throw CBORError(.invalidText, at: start)
        }
    }

    /// Reads text without storing it, and returns whether it equals the expected text byte for byte.
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
        // Different text, or bytes that are not contiguous; in both cases it must be valid text.
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

    /// Converts a range of positions into offsets from the first byte.
    func offsets(_ range: Range<Int>) -> Range<Int> {
        range.lowerBound - bytes.startIndex..<range.upperBound - bytes.startIndex
    }
}

extension Span<UInt8> {
    /// Whether all bytes are ASCII; checks eight at once, because most text is short and a call for each would cost
    /// more.
    fileprivate var isASCII: Bool {
        var bits: UInt64 = 0
        if count < 8 {
            for place in 0..<count { bits |= UInt64(self[place]) }
        } else {
            var place = 0
            while place < count {
                // Every bit pattern is an integer. The last eight bytes may overlap the ones checked before.
                let start = Swift.min(place, count &- 8)
                bits |= bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
                place &+= 8
            }
        }
        return bits & 0x8080_8080_8080_8080 == 0
    }
}
