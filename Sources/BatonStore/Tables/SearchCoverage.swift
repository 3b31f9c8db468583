/// The items that a search has covered.
package enum SearchCoverage: Sendable {
    /// All items.
    case whole
    /// All items except those of batches that have ended and are not merged yet.
    case merging
    /// The items in the full-text table, which is being filled again.
    case refilling
    /// The newest items with all words; the others were not ranked.
    case ranked
    /// The items that were looked at before the search ran out of time.
    case cut
}
