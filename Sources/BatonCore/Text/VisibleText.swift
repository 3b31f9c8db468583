/// Text that is safe to print to a terminal.
///
/// Everything that a person sees is printed through this type.
///
/// The literal parts of an interpolation are the program's own words, and are printed unchanged. Interpolated values,
/// such as titles, names and messages, come from elsewhere. Every scalar in them that would control a terminal or be
/// invisible is spelled out.
package struct VisibleText: Equatable, Sendable {
    /// The text to print.
    package private(set) var text: String

    /// Creates visible text from a text that comes from elsewhere.
    ///
    /// Its dangerous scalars are spelled out.
    package init(_ foreign: some StringProtocol) { text = Self.spellingOut(foreign) }

    /// Creates visible text from a text that the caller knows to be safe, without changing it.
    package init(harmless text: String) { self.text = text }

    /// Concatenates two visible texts.
    package static func + (left: Self, right: Self) -> Self { Self(harmless: left.text + right.text) }

    /// Whether the text has no characters.
    package var isEmpty: Bool { text.isEmpty }

    /// The width of the text in terminal cells.
    package var width: Int { CellWidth.of(text) }
}

extension VisibleText: CustomStringConvertible {
    /// The text itself.
    ///
    /// It can therefore be interpolated into texts of other types without a change.
    package var description: String { text }
}

extension VisibleText: ExpressibleByStringInterpolation {
    /// Creates visible text from the program's own words.
    package init(stringLiteral text: String) { self.text = text }

    package init(stringInterpolation interpolation: Interpolation) { text = interpolation.text }

    /// Collects the parts of an interpolation.
    ///
    /// Literals are not changed; dangerous scalars of other parts are spelled out.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text: String

        package init(literalCapacity: Int, interpolationCount: Int) {
            text = ""
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        /// Appends a literal part, which consists of the program's own words.
        package mutating func appendLiteral(_ literal: String) { text += literal }

        /// Appends a text from elsewhere, with its dangerous scalars spelled out.
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
