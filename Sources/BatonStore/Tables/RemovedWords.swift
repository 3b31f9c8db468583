/// The kind of words that no item has anymore, but that the segments of the full-text table may still contain.
package enum RemovedWords: Int, Comparable, Sendable {
    /// The segments contain no such words.
    case none
    /// Words of texts that an app has replaced.
    case replaced
    /// Words of items that were removed, and perhaps also words of texts that were replaced.
    case removed

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
