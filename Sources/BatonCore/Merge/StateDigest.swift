/// A digest by which two nodes compare their states.
///
/// It is the sum of the SHA-256 of all visible records, modulo 2²⁵⁶.
///
/// Records can be added to the sum and subtracted from it in any order. The digest reveals faults. But a device of the
/// account that lies can forge it.
package struct StateDigest: Equatable, Sendable {
    /// The words of the sum, least significant word first.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// The length of a digest in bytes.
    package static let byteCount = 32

    /// Creates the digest of an empty state.
    package init() {}

    /// Creates the digest of one record from the encoding of the record.
    init(of encoded: [UInt8]) {
        var hash = SHA256()
        hash.update(encoded)
        let digest = hash.finishWords()
        words = (digest.3, digest.2, digest.1, digest.0)
    }

    /// Creates a digest from its 32 bytes.
    package init?(bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(digest: Array(bytes))
    }

    /// Creates a digest from its 32 bytes.
    package init?(bytes: [UInt8]) { self.init(bytes: bytes[...]) }

    private init(digest: [UInt8]) {
        let word = { (start: Int) in digest[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        words = (word(24), word(16), word(8), word(0))
    }

    package static func += (left: inout Self, right: Self) {
        var carry = false
        let add = { (word: inout UInt64, other: UInt64) in
            let (first, overflow) = word.addingReportingOverflow(other)
            let (sum, again) = first.addingReportingOverflow(carry ? 1 : 0)
            (word, carry) = (sum, overflow || again)
        }
        add(&left.words.0, right.words.0)
        add(&left.words.1, right.words.1)
        add(&left.words.2, right.words.2)
        add(&left.words.3, right.words.3)
    }

    package static func -= (left: inout Self, right: Self) {
        var negated = Self()
        negated.words = (~right.words.0, ~right.words.1, ~right.words.2, ~right.words.3)
        var one = Self()
        one.words.0 = 1
        negated += one
        left += negated
    }

    package static func == (left: Self, right: Self) -> Bool { left.words == right.words }

    /// The 32 bytes of the digest, most significant byte first.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: Self.byteCount) { bytes in
            bytes.append(words.3, last: 8)
            bytes.append(words.2, last: 8)
            bytes.append(words.1, last: 8)
            bytes.append(words.0, last: 8)
        }
        return bytes
    }
}
