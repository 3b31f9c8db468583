/// Computes how many cells characters take in a terminal: none, one or two for each.
package enum CellWidth {
    /// Returns the width of a text in cells.
    package static func of(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ 0x20 <= $0 && $0 < 0x7f }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// Returns the width of a user-perceived character in cells.
    ///
    /// An emoji is two cells wide, however many scalars it has. In other characters, the widths of the scalars are
    /// added.
    package static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.properties.isEmojiPresentation { return isHalfFlag(character) ? 1 : 2 }
        if first.properties.isEmoji, scalars.contains("\u{fe0f}") { return 2 }
        return scalars.reduce(0) { $0 + of($1) }
    }

    /// Returns the longest prefix of a text that fits into this number of cells.
    ///
    /// If the text is cut, an ellipsis takes the last cell.
    package static func cut(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        guard width > 0 else { return "" }
        var (cut, used) = ("", 0)
        for character in text {
            let cells = of(character)
            if used + cells > width - 1 { break }
            cut.append(character)
            used += cells
        }
        return cut + "…"
    }

    /// Returns the width of a scalar that is not part of an emoji, in cells.
    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        if scalar.isMark || scalar.isHidden || vowels.contains(scalar.value) { return 0 }
        if 0xfe00...0xfe0f ~= scalar.value { return 0 }
        return isWide(scalar.value) ? 2 : 1
    }

    /// Whether the character is a single regional indicator, which is shown as a letter in a box and not as a flag.
    private static func isHalfFlag(_ character: Character) -> Bool {
        character.unicodeScalars.count == 1
            && character.unicodeScalars.allSatisfy { 0x1f1e6...0x1f1ff ~= $0.value }
    }

    /// Whether a scalar that is not an emoji is two cells wide.
    ///
    /// It is found by binary search.
    private static func isWide(_ value: UInt32) -> Bool {
        var (low, high) = (0, wide.count)
        while low < high {
            let middle = (low + high) / 2
            if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < wide.count && wide[low].contains(value)
    }

    /// The vowels and final consonants of decomposed Korean syllables, which a terminal draws into the cell of the
    /// first consonant.
    private static let vowels: ClosedRange<UInt32> = 0x1160...0x11ff

    /// The scalars that Unicode's East Asian Width classifies as wide or full-width, except emoji, in ascending order.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115f, 0x2329...0x232a, 0x2630...0x2637, 0x268a...0x268f, 0x2e80...0x303e, 0x3041...0xa4c6,
        0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6b, 0xff01...0xff60,
        0xffe0...0xffe6, 0x16fe0...0x18cff, 0x18d00...0x18df2, 0x1aff0...0x1b2fb, 0x1d300...0x1d376,
        0x1f200...0x1f265, 0x20000...0x3fffd,
    ]
}
