/// A value of a text in JSON5, and where it begins.
package struct JSON5Value: Equatable, Sendable {
    package let content: Content
    package let place: TextPlace

    package indirect enum Content: Equatable, Sendable {
        case null
        case boolean(Bool)
        case number(Double)
        case string(String)
        case array([JSON5Value])
        /// The members in the order in which they stand; no two have the same key.
        case object([Member])
    }

    /// One key of an object with its value.
    package struct Member: Equatable, Sendable {
        package let key: String
        package let place: TextPlace
        package let value: JSON5Value
    }
}
