/// SHA-256 (FIPS 180-4), by which keys are named and the states of two devices are compared.
///
/// SHA-256 is implemented here, because the core imports no library. The tests check it against the vectors of the
/// standard. Its working memory is inside the value, so only the digest is allocated.
///
/// A program may have a faster implementation that uses special instructions of the processor. Such a program sets
/// `preferred`.
package struct SHA256: Sendable {
    /// A function that updates the state of a hash with whole blocks of 64 bytes.
    package typealias Compression = @Sendable (inout InlineArray<8, UInt32>, Span<UInt8>) -> Void

    /// The function that processes the blocks of every hash in this process.
    ///
    /// A program may set it only before it starts other threads.
    @exclusivity(unchecked) nonisolated(unsafe) package static var preferred: Compression = {
        $0.compress($1)
    }

    private let compression: Compression
    private var state: InlineArray<8, UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
        0x5be0_cd19,
    ]
    /// The bytes of an incomplete block, which are not processed yet.
    private var pending = InlineArray<64, UInt8>(repeating: 0)
    private var count = 0

    package init(by compression: @escaping Compression = Self.preferred) { self.compression = compression }

    /// Returns the 32-byte digest of these bytes.
    package static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    /// Adds bytes to the hash.
    package mutating func update(_ bytes: some Collection<UInt8>) {
        let isAdded: Void? = bytes.withContiguousStorageIfAvailable { add($0.span) }
        if isAdded == nil { add(Array(bytes).span) }
    }

    /// Returns the 32-byte digest of all bytes that were added.
    package consuming func finish() -> [UInt8] {
        pad()
        return [UInt8](capacity: 32) { digest in
            for place in state.indices {
                let word = state[place]
                digest.append(UInt8(truncatingIfNeeded: word >> 24))
                digest.append(UInt8(truncatingIfNeeded: word >> 16))
                digest.append(UInt8(truncatingIfNeeded: word >> 8))
                digest.append(UInt8(truncatingIfNeeded: word))
            }
        }
    }

    /// The number of bytes in the incomplete block.
    private var pendingCount: Int { count & 63 }

    /// Returns the digest of all bytes that were added, as four big-endian numbers.
    consuming func finishWords() -> (UInt64, UInt64, UInt64, UInt64) {
        pad()
        return (word(from: 0), word(from: 2), word(from: 4), word(from: 6))
    }

    private func word(from place: Int) -> UInt64 { UInt64(state[place]) << 32 | UInt64(state[place + 1]) }

    private mutating func add(_ bytes: Span<UInt8>) {
        var start = 0
        if pendingCount > 0 {
            start = min(64 - pendingCount, bytes.count)
            keep(bytes.extracting(first: start))
            if pendingCount == 0 { compression(&state, pending.span) }
        }
        let whole = (bytes.count - start) & ~63
        if whole > 0 { compression(&state, bytes.extracting(start..<start + whole)) }
        count += whole
        keep(bytes.extracting(droppingFirst: start + whole))
    }

    /// Adds bytes to the incomplete block, which must have room for them.
    private mutating func keep(_ bytes: Span<UInt8>) {
        let start = pendingCount
        for place in bytes.indices { pending[start + place] = bytes[place] }
        count += bytes.count
    }

    /// Processes the padding that the standard appends: one bit, zeros, and the number of bits.
    private mutating func pad() {
        let bits = UInt64(count) * 8
        pending[pendingCount] = 0x80
        clear(from: pendingCount + 1)
        if pendingCount >= 56 {
            compression(&state, pending.span)
            clear(from: 0)
        }
        for place in 0..<8 { pending[56 + place] = UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * place)) }
        compression(&state, pending.span)
    }

    private mutating func clear(from start: Int) {
        for place in start..<64 { pending[place] = 0 }
    }
}
