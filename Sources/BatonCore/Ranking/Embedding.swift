/// The meaning of a text, as a vector of which only the direction matters.
///
/// The numbers of the vector are integers, so that all processors get the same result when they compare vectors.
package struct Embedding: Hashable, Sendable {
    /// The numbers as signed bytes from -127 to 127; at least one of them is -127 or 127.
    package let bytes: [UInt8]

    /// The range of the number of dimensions that a vector may have.
    package static let sizes = 8...1024

    /// Creates a vector by scaling and rounding numbers.
    ///
    /// The result is nil if there are too few or too many numbers, if one of them is not finite, or if all are zero.
    package init?(_ numbers: [Double]) {
        guard Self.sizes.contains(numbers.count), numbers.allSatisfy(\.isFinite) else { return nil }
        let largest = numbers.reduce(0) { max($0, abs($1)) }
        let scale = 127 / largest
        guard largest > 0, scale.isFinite else { return nil }
        bytes = numbers.map { UInt8(bitPattern: Int8(($0 * scale).rounded())) }
    }

    /// Creates a vector from its bytes; nil if the bytes are not valid.
    package init?(bytes: [UInt8]) {
        guard Self.sizes.contains(bytes.count), bytes.contains(127) || bytes.contains(129),
            !bytes.contains(128)
        else { return nil }
        self.bytes = bytes
    }

    /// Returns the cosine of the angle between two vectors; nil if they have different sizes.
    package func cosine(_ other: [UInt8]) -> Double? {
        guard other.count == bytes.count else { return nil }
        var (product, own, others): (Int32, Int32, Int32) = (0, 0, 0)
        // A search compares about ten million numbers. Checking each index would take longer than the sums.
        bytes.withUnsafeBufferPointer { mine in
            other.withUnsafeBufferPointer { theirs in
                for place in mine.indices {
                    let (left, right) = (
                        Int32(Int8(bitPattern: mine[place])), Int32(Int8(bitPattern: theirs[place]))
                    )
                    product &+= left &* right
                    own &+= left &* left
                    others &+= right &* right
                }
            }
        }
        guard own > 0, others > 0 else { return nil }
        return Double(product) / (Double(own) * Double(others)).squareRoot()
    }

    /// The cosine up to which two texts count as having nothing in common.
    private static let leastCosine = 0.25
    /// The score of a text that has the same meaning as the search; it is as high as for a rare word in a title.
    private static let most = 6.0

    /// Returns the score of a text; `cosine` compares the meaning of the text with the meaning of the search.
    ///
    /// The score is zero if the meanings are not alike.
    package static func score(cosine: Double) -> Double {
        max(0, cosine - leastCosine) / (1 - leastCosine) * most
    }
}
