/// The words that no item has, but that the segments of the full-text table may still have.
package enum RemovedWords: Int, Comparable, Sendable {
    /// None.
    case none
    /// Words of texts that an app has replaced.
    case replaced
    /// Words of items that were removed, and perhaps of texts that were replaced.
    case removed

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
