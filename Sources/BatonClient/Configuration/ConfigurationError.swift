/// A place in a text, as editors count it: from one, columns in Unicode scalars.
package struct TextPlace: Equatable, Sendable, CustomStringConvertible {
    package var line = 1
    package var column = 1

    package init() {}

    package var description: String { "\(line):\(column)" }
}

/// What is wrong in a configuration, and where.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    package let place: TextPlace
    package let text: String

    init(_ place: TextPlace, _ text: String) { (self.place, self.text) = (place, text) }

    package var description: String { "\(place): \(text)" }
}
