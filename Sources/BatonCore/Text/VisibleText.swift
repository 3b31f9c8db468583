/// Text that a terminal shows and never obeys: what a person sees goes through this type, and nothing else is printed.
///
/// The literal parts of an interpolation are the program's own words and stay as they are. What is interpolated came
/// from elsewhere (titles, names, values, messages), and everything in it that would steer a terminal or hide is
/// spelled out.
package struct VisibleText: Equatable, Sendable {
    /// What is printed.
    package private(set) var text: String

    /// Text from elsewhere, made visible.
    package init(_ foreign: some StringProtocol) { text = Self.spellingOut(foreign) }

    /// Text whose every character is known to be harmless, as its maker has seen to.
    package init(harmless text: String) { self.text = text }

    /// One text behind the other.
    package static func + (left: Self, right: Self) -> Self { Self(harmless: left.text + right.text) }

    /// True if nothing would be seen.
    package var isEmpty: Bool { text.isEmpty }

    /// How many cells of a terminal's line it takes.
    package var width: Int { CellWidth.of(text) }
}

extension VisibleText: CustomStringConvertible {
    /// The text itself, so that it is printed as it is inside texts of other types.
    package var description: String { text }
}

extension VisibleText: ExpressibleByStringInterpolation {
    /// The program's own words.
    package init(stringLiteral text: String) { self.text = text }

    package init(stringInterpolation interpolation: Interpolation) { text = interpolation.text }

    /// Gathers the program's own words as they are, and all else made visible.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text: String

        package init(literalCapacity: Int, interpolationCount: Int) {
            text = ""
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        /// Takes the program's own words.
        package mutating func appendLiteral(_ literal: String) { text += literal }

        /// Takes text from elsewhere.
        package mutating func appendInterpolation(_ foreign: some StringProtocol) {
            text += VisibleText.spellingOut(foreign)
        }

        /// Takes text that was made visible before.
        package mutating func appendInterpolation(_ visible: VisibleText) { text += visible.text }

        /// Takes a number.
        package mutating func appendInterpolation(_ number: some BinaryInteger) { text += String(number) }
    }
}

extension [VisibleText] {
    /// All of them, one behind the other, with the separator between.
    package func joined(_ separator: VisibleText) -> VisibleText {
        VisibleText(harmless: map(\.text).joined(separator: separator.text))
    }
}
