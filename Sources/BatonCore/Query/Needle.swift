/// A byte sequence for which texts are searched in linear time, by the algorithm of Knuth, Morris and Pratt.
struct Needle: Equatable, Sendable {
    let bytes: [UInt8]
    /// The failure table of the algorithm.
    ///
    /// For each number of matched bytes, it has the length of the longest proper prefix of these bytes that is also a
    /// suffix of them.
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

    /// Passes the index of each occurrence in a range to the closure, until the closure returns false.
    ///
    /// An empty sequence occurs at every index of the range and at the end of the range.
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

    /// Whether the sequence occurs at this index of a text.
    func stands(at place: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard place >= 0, place + bytes.count <= text.count else { return false }
        return bytes.indices.allSatisfy { bytes[$0] == text[place + $0] }
    }
}
