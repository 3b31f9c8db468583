package import BatonCore

/// Text for a terminal line, with parts that stand out or step back.
package struct MarkedText: Equatable, Sendable {
    private var parts: [Part] = []

    private struct Part: Equatable, Sendable {
        var text: VisibleText
        var style: Style
    }

    /// The look of a part of a line.
    package enum Style: Equatable, Sendable {
        case plain
        case bold
        /// Less bright, for what is secondary.
        case dim
        /// In a colour, for what a person types to name a row.
        case name
        /// In another colour, for a remark.
        case remark
        /// Bold and in a colour, for what a person typed to find a row.
        case match
        /// With the colours of text and ground exchanged, for a row that is chosen.
        case inverse
        /// Text that stands out in a row that is chosen.
        case inverseMatch

        /// The codes that begin and end the look; nil for none.
        fileprivate var codes: (begin: String, end: String)? {
            switch self {
            case .plain: nil
            case .bold: ("1", "22")
            case .dim: ("2", "22")
            // Cyan and magenta are readable on light and on dark ground.
            case .name: ("36", "39")
            case .remark: ("35", "39")
            case .match: ("1;36", "22;39")
            case .inverse: ("7", "27")
            // A colour would become the ground, and bold alone is hard to see, so the text is underlined, too.
            case .inverseMatch: ("1;4;7", "22;24;27")
            }
        }

        /// The look of this part in a row that is chosen.
        fileprivate var inverted: Style {
            switch self {
            case .bold, .match, .inverseMatch: .inverseMatch
            case .plain, .dim, .name, .remark, .inverse: .inverse
            }
        }
    }

    /// Text of one look.
    package init(_ text: VisibleText, _ style: Style = .plain) { add(text, style) }

    /// Makes foreign text safe to show, with these ranges of its bytes in another look, bold by default; ranges
    /// outside of the text are ignored.
    package init(_ foreign: String, marking ranges: [Range<Int>], as style: Style = .bold) {
        let bytes = foreign.utf8
        var place = bytes.startIndex
        for range in ranges {
            guard range.lowerBound >= 0,
                let start = bytes.index(
                    bytes.startIndex, offsetBy: range.lowerBound, limitedBy: bytes.endIndex),
                let end = bytes.index(
                    bytes.startIndex, offsetBy: range.upperBound, limitedBy: bytes.endIndex),
                place <= start,
                [start, end].allSatisfy({ $0.samePosition(in: foreign.unicodeScalars) != nil })
            else { continue }
            add(VisibleText(foreign[place..<start]), .plain)
            add(VisibleText(foreign[start..<end]), style)
            place = end
        }
        add(VisibleText(foreign[place...]), .plain)
    }

    private mutating func add(_ text: VisibleText, _ style: Style) {
        if !text.isEmpty { parts.append(Part(text: text, style: style)) }
    }

    /// Joins two texts.
    package static func + (left: Self, right: Self) -> Self {
        var both = left
        both.parts += right.parts
        return both
    }

    /// The text without its marks.
    package var text: VisibleText { parts.map(\.text).joined("") }

    package var isEmpty: Bool { parts.isEmpty }

    /// The width of the text in cells of a terminal line.
    package var width: Int { text.width }

    /// Returns the beginning that fits this many cells, with an ellipsis if something is missing.
    package func cut(to width: Int) -> MarkedText {
        let whole = text.text
        let cut = CellWidth.cut(whole, to: width)
        guard cut != whole else { return self }
        var (shown, left) = (MarkedText(""), cut.isEmpty ? 0 : cut.utf8.count - Self.ellipsis.utf8.count)
        for part in parts where left > 0 {
            let bytes = part.text.text.utf8
            let end =
                bytes.index(bytes.startIndex, offsetBy: left, limitedBy: bytes.endIndex) ?? bytes.endIndex
            shown.add(VisibleText(harmless: String(part.text.text[..<end])), part.style)
            left -= bytes.count
        }
        if !cut.isEmpty { shown.add(VisibleText(harmless: Self.ellipsis), .plain) }
        return shown
    }

    private static let ellipsis = "…"

    /// The text with spaces behind it, so that it is at least this many cells wide.
    package func padded(to width: Int) -> MarkedText {
        self + MarkedText(VisibleText(harmless: String(repeating: " ", count: max(width - self.width, 0))))
    }

    /// The text as a row that is chosen.
    package var inverted: MarkedText { restyled(\.inverted) }

    /// The text with its plain parts less bright.
    package var dimmed: MarkedText { restyled { $0 == .plain ? .dim : $0 } }

    private func restyled(_ change: (Style) -> Style) -> MarkedText {
        var text = self
        text.parts = parts.map { Part(text: $0.text, style: change($0.style)) }
        return text
    }

    /// The text isolated from its neighbours: a terminal that lays out text from right to left moves nothing beside it.
    ///
    /// Such terminals take the direction of a line from its first letter, and join neighbouring words of one direction.
    /// Marks without width keep the columns of a line in order; only texts that need marks get them.
    package var inPlace: MarkedText {
        let isMixed = parts.contains { $0.text.text.unicodeScalars.contains(where: \.isWrittenFromRight) }
        return isMixed ? Self.direction + self + Self.direction : self
    }

    /// The left-to-right mark.
    private static let direction = MarkedText(VisibleText(harmless: "\u{200e}"))

    /// Returns the text, with the look of its parts if the terminal may be told so.
    package func shown(isStyled: Bool) -> VisibleText {
        guard isStyled else { return text }
        return parts.map { part in
            guard let codes = part.style.codes else { return part.text }
            return VisibleText(harmless: "\u{1b}[\(codes.begin)m\(part.text.text)\u{1b}[\(codes.end)m")
        }.joined("")
    }
}
