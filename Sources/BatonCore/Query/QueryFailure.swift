/// An error in the text of a query.
package struct QueryFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The place in the query, as the number of characters before it.
    package let offset: Int
    /// The text at that place, or what it is: `the end of the query`.
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
    package func pointer(in query: String) -> VisibleText {
        let place =
            query.index(query.startIndex, offsetBy: offset, limitedBy: query.endIndex) ?? query.endIndex
        let start =
            query[..<place].lastIndex(where: \.isNewline).map { query.index(after: $0) } ?? query.startIndex
        let end = query[place...].firstIndex(where: \.isNewline) ?? query.endIndex
        let indentation = String(repeating: " ", count: VisibleText(query[start..<place]).width)
        return "\(query[start..<end])\n\(indentation)^"
    }
}
