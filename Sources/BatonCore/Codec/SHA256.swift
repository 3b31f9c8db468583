/// SHA-256 (FIPS 180-4): names keys and tells whether two nodes hold the same.
///
/// Written here because the core imports nothing; the tests hold it against the vectors of the standard. All that
/// it works with stands in the value itself: memory is taken for the digest and for nothing else.
package struct SHA256 {
    private var state: InlineArray<8, UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
        0x5be0_cd19,
    ]
    /// The beginning of a block whose rest is yet to come.
    private var pending = InlineArray<64, UInt8>(repeating: 0)
    private var count = 0

    package init() {}

    /// The 32 bytes for these bytes.
    package static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    /// Adds bytes.
    package mutating func update(_ bytes: some Collection<UInt8>) {
        let isAdded: Void? = bytes.withContiguousStorageIfAvailable { add($0.span) }
        if isAdded == nil { add(Array(bytes).span) }
    }

    /// The 32 bytes for all that was added.
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

    /// How many bytes of a block are pending.
    private var pendingCount: Int { count & 63 }

    private mutating func add(_ bytes: Span<UInt8>) {
        var start = 0
        if pendingCount > 0 {
            start = min(64 - pendingCount, bytes.count)
            keep(bytes.extracting(first: start))
            if pendingCount == 0 { state.compress(pending.span) }
        }
        let whole = (bytes.count - start) & ~63
        state.compress(bytes.extracting(start..<start + whole))
        count += whole
        keep(bytes.extracting(droppingFirst: start + whole))
    }

    /// Adds bytes to the block that is pending, where there is room for them.
    private mutating func keep(_ bytes: Span<UInt8>) {
        let start = pendingCount
        for place in bytes.indices { pending[start + place] = bytes[place] }
        count += bytes.count
    }

    /// Works in what the standard puts behind all bytes: a bit, zeros, and how many bits there were.
    private mutating func pad() {
        let bits = UInt64(count) * 8
        pending[pendingCount] = 0x80
        clear(from: pendingCount + 1)
        if pendingCount >= 56 {
            state.compress(pending.span)
            clear(from: 0)
        }
        for place in 0..<8 { pending[56 + place] = UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * place)) }
        state.compress(pending.span)
    }

    private mutating func clear(from start: Int) {
        for place in start..<64 { pending[place] = 0 }
    }
}
