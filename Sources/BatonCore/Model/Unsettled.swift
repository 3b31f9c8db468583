/// The work that remains for settling: merging ended batches, and removing the records that clears end.
package struct Unsettled: Equatable, Sendable {
    /// The number of changes in ended batches that are not merged yet.
    package var toMerge: Int
    /// The number of places at which clears still have to look for records.
    ///
    /// The count stops at `countMost`.
    package var toClear: Int

    /// The largest number of places that are counted for clears.
    ///
    /// The count has a limit because it reads each place.
    package static let countMost = 100_000

    package init(toMerge: Int = 0, toClear: Int = 0) { (self.toMerge, self.toClear) = (toMerge, toClear) }

    package static func + (left: Self, right: Self) -> Self {
        Self(toMerge: left.toMerge + right.toMerge, toClear: min(left.toClear + right.toClear, countMost))
    }
}
