/// A queue of the bytes of one stream that wait to be sent.
struct StreamBytes: Sendable {
    /// The size up to which chunks are joined.
    ///
    /// They are joined because each chunk takes more memory than its bytes.
    private static let joinedMost = 16 << 10

    /// The chunks in order.
    ///
    /// `offset` is the number of bytes of the first chunk that were taken already.
    private var chunks: [[UInt8]] = []
    private var offset = 0
    /// The number of bytes in the queue.
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

    /// Removes the first bytes and returns them, without copying.
    ///
    /// It returns at most `most` bytes, and never more than the rest of the first chunk.
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
