/// How much batches and clears have left to be done.
package struct Unsettled: Equatable, Sendable {
    /// How many changes of batches that have ended are not merged.
    package var toMerge: Int
    /// In how many places clears have left something to look for; at most `countMost`.
    package var toClear: Int

    /// Clears are counted up to here, because counting reads what it counts.
    package static let countMost = 100_000

    package init(toMerge: Int = 0, toClear: Int = 0) { (self.toMerge, self.toClear) = (toMerge, toClear) }

    package static func + (left: Self, right: Self) -> Self {
        Self(toMerge: left.toMerge + right.toMerge, toClear: min(left.toClear + right.toClear, countMost))
    }
}
