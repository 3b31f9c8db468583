/// Bytes of one stream that wait to be sent.
struct StreamBytes: Sendable {
    /// Chunks are joined up to this size, because each chunk takes memory beyond its bytes.
    private static let joinedMost = 16 << 10

    /// The chunks, in order; `offset` says how much of the first was read.
    private var chunks: [[UInt8]] = []
    private var offset = 0
    /// How many bytes wait.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        count += bytes.count
        if let last = chunks.indices.last, chunks[last].count + bytes.count <= Self.joinedMost {
            chunks[last] += bytes
        } else {
            chunks.append(bytes)
        }
    }

    /// Removes and returns at most `most` of the first bytes, without a copy; fewer if the first chunk has fewer.
    mutating func take(most: Int) -> ArraySlice<UInt8> {
        guard let first = chunks.first else { return [] }
        let part = first[offset..<min(first.count, offset + most)]
        count -= part.count
        if part.endIndex == first.count {
            chunks.removeFirst()
            offset = 0
        } else {
            offset = part.endIndex
        }
        return part
    }
}
