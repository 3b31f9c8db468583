extension VisibleText {
    /// Returns the text with its dangerous scalars spelled out.
    ///
    /// These are the scalars that would control the terminal, be invisible, or change the reading direction.
    static func spellingOut(_ text: some StringProtocol) -> String {
        if text.utf8.allSatisfy({ 0x20 <= $0 && $0 < 0x7f }) { return String(text) }
        let scalars = Array(text.unicodeScalars)
        // Whole strings are appended in place. Appending to the view of scalars would copy the text each time.
        var visible = ""
        var marks = 0
        for (place, scalar) in scalars.enumerated() {
            marks = scalar.isMark ? marks + 1 : 0
            if marks <= mostMarks,
                scalar.isShown(after: scalars[..<place].last, before: scalars[(place + 1)...].first)
            {
                visible.unicodeScalars.append(scalar)
            } else {
                visible += spelling(of: scalar)
            }
        }
        return visible
    }

    /// The largest number of marks that are shown on one letter.
    ///
    /// More marks would cover the lines above and below.
    private static let mostMarks = 8

    /// Returns a scalar's name in Swift's notation.
    private static func spelling(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{\(String(scalar.value, radix: 16))}"
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar would control a terminal, be invisible, or change the reading direction.
    package var isHidden: Bool {
        if value < 0x7f { return value < 0x20 }
        if value < 0xa0 { return true }
        if Self.spacing.contains(value) || Self.variations.contains(value) { return false }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return true
        case .format: return !isNumberSign
        default: return properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
        }
    }

    /// Whether the scalar belongs to a script that is written from right to left.
    package var isWrittenFromRight: Bool {
        switch value {
        case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfefe, 0x10800...0x10fff, 0x1e800...0x1efff: true
        default: false
        }
    }

    /// Whether the scalar is a mark, which is drawn on the character before it.
    var isMark: Bool {
        guard value >= 0x300 else { return false }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }

    /// Whether the scalar may be printed unchanged between these two scalars.
    fileprivate func isShown(after previous: Unicode.Scalar?, before next: Unicode.Scalar?) -> Bool {
        guard self == Self.joiner || self == Self.nonJoiner else { return !isHidden }
        // In some scripts, joiners are part of the spelling. They also connect the parts of an emoji. Anywhere else, a
        // joiner is invisible and only makes two different texts look the same.
        guard let previous, let next else { return false }
        if self == Self.joiner, next.properties.isEmoji, next.value > 0x7f {
            return previous.value > 0x7f && (previous.properties.isEmoji || previous.value == 0xfe0f)
        }
        return previous.isJoinedScript && next.isJoinedScript
    }

    /// Whether the scalar belongs to a script in which joiners are part of the spelling.
    ///
    /// These are the scripts from Arabic to Mongolian in Unicode's order.
    private var isJoinedScript: Bool {
        0x0600...0x0dff ~= value || 0x1000...0x109f ~= value || 0x1780...0x18af ~= value
    }

    /// Whether the scalar is a sign that encloses the number after it.
    ///
    /// Unicode classifies such signs as format characters, although they are visible.
    private var isNumberSign: Bool {
        0x0600...0x0605 ~= value
            || [0x06dd, 0x070f, 0x0890, 0x0891, 0x08e2, 0x110bd, 0x110cd].contains(value)
    }

    private static let joiner: Unicode.Scalar = "\u{200d}"
    private static let nonJoiner: Unicode.Scalar = "\u{200c}"
    /// The most frequent ideographs and syllables.
    ///
    /// They are visible, so no lookup is needed.
    private static let spacing: ClosedRange<UInt32> = 0x4e00...0xd7a3
    /// The variation selectors.
    ///
    /// Each chooses one of several forms of the character before it.
    private static let variations: ClosedRange<UInt32> = 0xfe00...0xfe0f
}
