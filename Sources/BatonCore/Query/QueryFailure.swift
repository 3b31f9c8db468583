/// An error in the text of a query.
package struct QueryFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The place in the query, as the number of characters before it.
    package let offset: Int
    /// The text at that place, or a description of it, such as `the end of the query`.
    package let found: String
    /// The texts that are allowed at that place.
    package let expected: String

    package init(offset: Int, found: String, expected: String) {
        (self.offset, self.found, self.expected) = (offset, found, expected)
    }

    /// One sentence for a person.
    package var description: String { "Expected \(expected), but found \(found) at character \(offset + 1)." }

    /// Returns the line of a query in which the error is, and below it a line with a caret at the place.
    ///
    /// `query` must be the text that was parsed. In both lines characters that would steer a terminal are spelled out.
    /// A long line is cut to the part around the place.
    package func pointer(in query: String) -> VisibleText {
        let place =
            query.index(query.startIndex, offsetBy: offset, limitedBy: query.endIndex) ?? query.endIndex
        let start =
            query[..<place].lastIndex(where: \.isNewline).map { query.index(after: $0) } ?? query.startIndex
        let end = query[place...].firstIndex(where: \.isNewline) ?? query.endIndex
        let first = query.index(place, offsetBy: -Self.shownBefore, limitedBy: start) ?? start
        let last = query.index(place, offsetBy: Self.shownAfter, limitedBy: end) ?? end
        let head: VisibleText = "\(first > start ? "…" : "")\(query[first..<place].withFewMarks)"
        let indentation = String(repeating: " ", count: head.width)
        return "\(head)\(query[place..<last].withFewMarks)\(last < end ? "…" : "")\n\(indentation)^"
    }

    /// The most characters that are shown before and after the place.
    private static let shownBefore = 60, shownAfter = 40
}
