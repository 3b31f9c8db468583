/// A value in a JSON or JSON5 text, and the place of the value in that text.
package struct LocatedJSON: Equatable, Sendable {
    package let content: Content
    /// The place where the value begins.
    package let place: TextPlace

    package indirect enum Content: Equatable, Sendable {
        case null
        case boolean(Bool)
        case integer(Int64)
        case real(Double)
        case string(String)
        case array([LocatedJSON])
        /// The members in the order of the text; no two members have the same key.
        case object([Member])
    }

    /// A key of an object, and the value for that key.
    package struct Member: Equatable, Sendable {
        package let key: String
        package let place: TextPlace
        package let value: LocatedJSON
    }
}

/// A place in a text, as editors count: lines and columns begin at one, and a column is a Unicode scalar.
package struct TextPlace: Equatable, Sendable, CustomStringConvertible {
    package var line = 1
    package var column = 1

    package var description: String { "\(line):\(column)" }
}

/// An error in a text, and the place of the error.
package struct TextError: Error, Equatable, Sendable, CustomStringConvertible {
    package let place: TextPlace
    package let text: String

    package init(_ place: TextPlace, _ text: String) { (self.place, self.text) = (place, text) }

    package var description: String { "\(place): \(text)" }
}
