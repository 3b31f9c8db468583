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
