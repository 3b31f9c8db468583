/// An error in the text of a query.
package struct QueryFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The number of characters before the error in the query.
    package let offset: Int
    /// The text at the error, or a description of it, such as `the end of the query`.
    package let found: String
    /// A description of the texts that are allowed there.
    package let expected: String

    package init(offset: Int, found: String, expected: String) {
        (self.offset, self.found, self.expected) = (offset, found, expected)
    }

    /// A description of the error in one sentence, for a person.
    package var description: String { "Expected \(expected), but found \(found) at character \(offset + 1)." }

    /// Returns the line of the query that has the error, and below it a line with a caret that points to the error.
    ///
    /// `query` must be the text that was parsed. Characters that could control a terminal are shown in spelled-out
    /// form. A long line is cut to the part around the error.
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

    /// The largest numbers of characters that are shown before and after the error.
    private static let shownBefore = 60, shownAfter = 40
}
