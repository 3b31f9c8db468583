/// Memory for large pieces of streams, used again while data flows.
///
/// A process that gives memory back for each piece that is written, and takes fresh memory for the next, pays the
/// kernel for every page of it; that was half of what a stream cost.
struct SpareMemory {
    /// Pieces below this are left to the allocator, which handles them well.
    static let leastByteCount = 64 * 1024
    /// How much is kept at most.
    static let mostByteCount = 4 << 20

    /// Empty arrays that have capacity.
    private var pieces: [[UInt8]] = []
    /// How much they hold.
    private(set) var byteCount = 0
    /// Whether any was taken or kept since `releaseIfUnused()` was last called.
    private var isUsed = false

    /// An empty array, with room for so many bytes if they are many.
    mutating func take(for count: Int) -> [UInt8] {
        guard count >= Self.leastByteCount else { return [] }
        isUsed = true
        var piece: [UInt8] = []
        if let place = pieces.lastIndex(where: { $0.capacity >= count }) {
            piece = pieces.remove(at: place)
            byteCount -= piece.capacity
        }
        piece.reserveCapacity(count)
        return piece
    }

    /// Keeps the memory of bytes that nobody needs any more, if there is enough of it and not too much already.
    mutating func keep(_ bytes: consuming [UInt8]) {
        let capacity = bytes.capacity
        guard capacity >= Self.leastByteCount, byteCount + capacity <= Self.mostByteCount else { return }
        bytes.removeAll(keepingCapacity: true)
        isUsed = true
        byteCount += bytes.capacity
        pieces.append(bytes)
    }

    /// Releases all of it, unless some was used since the last call.
    mutating func releaseIfUnused() {
        if !isUsed { (pieces, byteCount) = ([], 0) }
        isUsed = false
    }
}
