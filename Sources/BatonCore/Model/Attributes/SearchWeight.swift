/// The weight of a match in an attribute's text, from lowest to highest.
///
/// Except for `none`, the raw values number the columns of the full-text index, from the last column to the first.
package enum SearchWeight: UInt8, CaseIterable, Comparable, Sendable {
    /// The attribute is not searched as text: identifiers, paths, technical terms, and all values that are not texts.
    case none
    /// The main text of the item.
    case body
    /// A description in sentences.
    case description
    /// Keywords of the item.
    case keywords
    /// Related people, places, works and containers, and alternative names of the item.
    case names
    /// The title of the item.
    case title

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
