/// How much a find in an attribute's text counts, from nothing to most.
///
/// The raw values are the columns of the full-text index, from the last to the first.
package enum SearchWeight: UInt8, CaseIterable, Comparable, Sendable {
    /// Not searched as text: identifiers, paths, technical terms, and all that is no text.
    case none
    /// The text itself.
    case body
    /// What is said about it in sentences.
    case description
    /// Words that it is filed under.
    case keywords
    /// People, places, works and containers that have to do with it, and its other names.
    case names
    /// What it is called.
    case title

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
