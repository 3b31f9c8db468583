/// A byte sequence that is searched for in texts, in linear time (Knuth, Morris and Pratt).
struct Needle: Equatable, Sendable {
    let bytes: [UInt8]
    /// For each count of matched bytes, the length of their longest proper prefix that is also their suffix.
    private let fallbacks: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var (fallbacks, length) = ([0, 0], 0)
        fallbacks.reserveCapacity(bytes.count + 1)
        for place in bytes.indices.dropFirst() {
            while length > 0, bytes[place] != bytes[length] { length = fallbacks[length] }
            if bytes[place] == bytes[length] { length += 1 }
            fallbacks.append(length)
        }
        self.fallbacks = fallbacks
    }

    /// Passes the index of each occurrence within a range to the closure, until the closure returns false.
    ///
    /// An empty sequence occurs at each place, and at the end of the range.
    func visitOccurrences(
        in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ visit: (Int) -> Bool
    ) {
        guard !bytes.isEmpty else {
            _ = (range.lowerBound...range.upperBound).allSatisfy(visit)
            return
        }
        var matched = 0
        for place in range {
            while matched > 0, text[place] != bytes[matched] { matched = fallbacks[matched] }
            if text[place] == bytes[matched] { matched += 1 }
            guard matched == bytes.count else { continue }
            guard visit(place + 1 - matched) else { return }
            matched = fallbacks[matched]
        }
    }

    /// Whether the sequence stands at this place of a text.
    func stands(at place: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard place >= 0, place + bytes.count <= text.count else { return false }
        return bytes.indices.allSatisfy { bytes[$0] == text[place + $0] }
    }
}
