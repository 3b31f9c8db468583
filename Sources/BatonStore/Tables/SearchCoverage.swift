/// Says which items a search has covered.
package enum SearchCoverage: Sendable {
    /// All items.
    case whole
    /// All items except those of batches that have ended but are not merged yet.
    case merging
    /// The items in the full-text table, which is being filled again.
    case refilling
    /// The newest of the items that have all words; the other items were not ranked.
    case ranked
    /// The items that were read before the search ran out of time.
    case cut
    /// The items of one of two sources, because the other source failed.
    case partial
}
