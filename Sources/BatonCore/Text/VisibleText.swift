/// Text that a terminal shows and never obeys; everything that a person sees is printed through this type.
///
/// The literal parts of an interpolation are the program's own words and stay unchanged. Interpolated values come from
/// elsewhere (titles, names, values, messages); everything in them that would steer a terminal or be invisible is
/// spelled out.
package struct VisibleText: Equatable, Sendable {
    /// The text to print.
    package private(set) var text: String

    /// Creates visible text from foreign text by spelling out its dangerous scalars.
    package init(_ foreign: some StringProtocol) { text = Self.spellingOut(foreign) }

    /// Creates visible text from a text that the caller knows to be harmless.
    package init(harmless text: String) { self.text = text }

    /// Concatenates two visible texts.
    package static func + (left: Self, right: Self) -> Self { Self(harmless: left.text + right.text) }

    /// True if the text has no characters.
    package var isEmpty: Bool { text.isEmpty }

    /// The width of the text in cells of a terminal line.
    package var width: Int { CellWidth.of(text) }
}

extension VisibleText: CustomStringConvertible {
    /// The text itself, so that it is printed unchanged inside texts of other types.
    package var description: String { text }
}

extension VisibleText: ExpressibleByStringInterpolation {
    /// Creates visible text from the program's own words.
    package init(stringLiteral text: String) { self.text = text }

    package init(stringInterpolation interpolation: Interpolation) { text = interpolation.text }

    /// Collects the program's own words unchanged, and everything else made visible.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text: String

        package init(literalCapacity: Int, interpolationCount: Int) {
            text = ""
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        /// Appends the program's own words.
        package mutating func appendLiteral(_ literal: String) { text += literal }

        /// Appends text from elsewhere.
        package mutating func appendInterpolation(_ foreign: some StringProtocol) {
            text += VisibleText.spellingOut(foreign)
        }

        /// Appends text that is already visible.
        package mutating func appendInterpolation(_ visible: VisibleText) { text += visible.text }

        /// Appends a number.
        package mutating func appendInterpolation(_ number: some BinaryInteger) { text += String(number) }
    }
}

extension [VisibleText] {
    /// Joins the texts with a separator between them.
    package func joined(_ separator: VisibleText) -> VisibleText {
        VisibleText(harmless: map(\.text).joined(separator: separator.text))
    }
}
