package import BatonCore

/// The results of a search, and which items the search has covered.
package struct SearchFinding: Equatable, Sendable {
    /// The things that were found, best first.
    package var things: [ShownThing]
    /// Says which items the search has covered.
    package var coverage: SearchCoverage
    /// The corrected text that was searched for, because one of the typed words is found nowhere; nil if nothing was
    /// corrected.
    package var corrected: String?

    /// Whether the search has covered all items.
    package var isWhole: Bool { coverage == .whole }

    /// The time at which the first of the things expires; nil if none of them expires.
    package var expiration: WallTime? { things.compactMap(\.expiration).min() }
}
