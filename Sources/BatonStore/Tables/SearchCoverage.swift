/// Which items a search looked through.
package enum SearchCoverage: Sendable {
    /// All items.
    case whole
    /// All items but those of batches that have ended and are not merged yet.
    case merging
    /// The items in the full-text table, which is being filled again.
    case refilling
    /// The newest items with all words; the others were not ranked.
    case ranked
}
