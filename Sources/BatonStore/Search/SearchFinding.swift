package import BatonCore

/// The results of a search, and what they cover.
package struct SearchFinding: Equatable, Sendable {
    /// The things that were found, best first.
    package var things: [ShownThing]
    /// The items that the search has covered.
    package var coverage: SearchCoverage
    /// The text that was searched for instead, because one of the typed words is in no item.
    package var corrected: String?

    /// Whether all items were looked through.
    package var isWhole: Bool { coverage == .whole }

    /// The time at which the first of the things expires; nil if none expires.
    package var expiration: WallTime? { things.compactMap(\.expiration).min() }
}
