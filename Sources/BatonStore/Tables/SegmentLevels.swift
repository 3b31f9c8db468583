/// The levels of an FTS5 table's segments, as the table lists them.
///
/// The list begins with four bytes, the number of levels, the number of segments, and a counter. Each level has the
/// number of its segments that are being merged into one of the next level, and the number of its segments; each
/// segment has three numbers. The segments of a level are older than those of the levels before it.
struct SegmentLevels {
    private var levels: [(merging: UInt64, segments: UInt64)] = []

    /// Decodes the list; nil if it is no list of levels.
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

    /// Whether segments are being merged into the oldest one.
    var isMergingOldest: Bool {
        guard let oldest = levels.lastIndex(where: { $0.segments > 0 }) else { return false }
        return levels[max(oldest - 1, 0)...oldest].contains { $0.merging > 0 }
    }

    /// Reads a number in groups of seven bits; all bytes but the last have the highest bit set.
    ///
    /// A ninth byte would have eight bits, but no number here is that large.
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
