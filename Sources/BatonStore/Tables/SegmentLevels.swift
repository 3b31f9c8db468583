/// The list of an FTS5 table's levels, each of which has some segments.
///
/// The list begins with four bytes, the number of levels, the number of segments, and a counter. For each level, the
/// list has two numbers: the number of segments that are being merged into a segment of the next level, and the number
/// of all segments of the level. After that, it has three numbers for each segment. The segments of a level are older
/// than those of the levels before it.
struct SegmentLevels {
    private var levels: [(merging: UInt64, segments: UInt64)] = []

    /// Decodes the list; returns nil if the bytes are not a list of levels.
    init?(_ bytes: [UInt8]) {
        var rest = bytes.dropFirst(4)
        guard let count = Self.number(&rest), Self.number(&rest) != nil, Self.number(&rest) != nil else {
            return nil
        }
        // A level takes at least two bytes, so a larger count is damage.
        guard count <= UInt64(bytes.count) else { return nil }
        for _ in 0..<count {
            guard let merging = Self.number(&rest), let segments = Self.number(&rest),
                segments <= UInt64(bytes.count)
            else { return nil }
            for _ in 0..<3 * segments { guard Self.number(&rest) != nil else { return nil } }
            levels.append((merging, segments))
        }
    }

    /// Whether segments are being merged into the oldest segment.
    var isMergingOldest: Bool {
        guard let oldest = levels.lastIndex(where: { $0.segments > 0 }) else { return false }
        return levels[max(oldest - 1, 0)...oldest].contains { $0.merging > 0 }
    }

    /// Reads a number that is stored in groups of seven bits, and removes its bytes.
    ///
    /// All bytes except the last have the highest bit set.
    ///
    /// In SQLite's encoding, a ninth byte would have eight bits, but no number in this list is that large.
    private static func number(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for _ in 0..<8 {
            guard let byte = bytes.popFirst() else { return nil }
            value = value << 7 | UInt64(byte & 127)
            if byte < 128 { return value }
        }
        return nil
    }
}
