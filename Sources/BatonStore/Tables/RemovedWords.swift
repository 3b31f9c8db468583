/// The words that the segments of the full-text table may still have, although no item has them any more.
package enum RemovedWords: Int, Comparable, Sendable {
    /// None.
    case none
    /// Words of texts that an app has replaced.
    case replaced
    /// Words of items that were removed, and perhaps of texts that were replaced.
    case removed

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
