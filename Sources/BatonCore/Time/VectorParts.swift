/// Digests of the parts of a large vector.
///
/// They show in which parts two vectors differ, so that the other parts need not be sent.
///
/// The last six bits of an origin's life are the number of its part. These bits are random, so the parts have about the
/// same size. The digests are salted. If two different parts happen to have the same digest, their digests will be
/// different with the next salt.
package struct VectorParts: Equatable, Sendable {
    package let salt: UInt64
    /// The digest of each part, in order.
    ///
    /// A digest consists of the first bytes of a SHA-256.
    package let digests: [[UInt8]]

    /// The number of parts of a vector.
    package static let count = 64
    /// The number of bytes of each digest that are sent.
    package static let digestBytes = 8
    /// The number of bytes of the salt and all digests.
    static let byteCount = 8 + count * digestBytes

    /// Creates the digests of a vector's parts.
    package init(of vector: VersionVector, salt: UInt64) {
        self.salt = salt
        var parts = [[(Origin, UInt64)]](repeating: [], count: Self.count)
        for (origin, sequence) in vector.sorted { parts[origin.part].append((origin, sequence)) }
        digests = parts.map { part in
            var (hash, writer) = (SHA256(), CBORWriter())
            VersionVector(part).encode(to: &writer)
            hash.update(Self.bytes(of: salt))
            hash.update(writer.bytes)
            return Array(hash.finish().prefix(Self.digestBytes))
        }
    }

    /// Returns the parts in which a vector differs from the vector that has these digests.
    package func differing(from vector: VersionVector) -> VectorPartSet {
        let others = VectorParts(of: vector, salt: salt)
        return VectorPartSet(digests.indices.filter { digests[$0] != others.digests[$0] })
    }

    func encode(to writer: inout CBORWriter) {
        writer.data(Self.bytes(of: salt) + digests.flatMap(\.self))
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        let bytes = try reader.data(count: Self.byteCount)
        salt = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        digests = stride(from: 8, to: Self.byteCount, by: Self.digestBytes).map {
            Array(bytes[$0..<$0 + Self.digestBytes])
        }
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}

/// A set of parts of a vector.
package struct VectorPartSet: Equatable, Sendable {
    /// The parts as a bit mask, in which the least significant bit is part 0.
    private var bits: UInt64 = 0

    package init(_ parts: some Sequence<Int>) { for part in parts { bits |= 1 << UInt64(part) } }

    package func contains(_ part: Int) -> Bool { bits >> UInt64(part) & 1 == 1 }

    /// Whether an origin is in one of the parts.
    package func contains(_ origin: Origin) -> Bool { contains(origin.part) }

    func encode(to writer: inout CBORWriter) {
        writer.data((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) })
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        bits = try reader.data(count: 8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension Origin {
    /// The part of a vector that contains this origin.
    fileprivate var part: Int { Int(life.low & UInt64(VectorParts.count - 1)) }
}

extension VersionVector {
    /// Returns the transactions of this vector whose origins are in these parts.
    package func restricted(to parts: VectorPartSet) -> VersionVector {
        VersionVector(sorted.lazy.filter { parts.contains($0.origin) }.map { ($0.origin, $0.sequence) })
    }

    /// Returns this vector with the origins of these parts replaced by those of another vector.
    ///
    /// The other vector must have only origins of these parts.
    package func replacing(_ parts: VectorPartSet, with other: VersionVector) -> VersionVector {
        var vector = VersionVector(
            sorted.lazy.filter { !parts.contains($0.origin) }.map { ($0.origin, $0.sequence) })
        vector.join(other)
        return vector
    }
}
