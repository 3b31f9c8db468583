/// The role of a scalar when a text is cut into words.
///
/// Swift's own tables decide which scalars are letters. So the set of letters may grow with new versions of Unicode,
/// but it never shrinks.
package enum WordClass: Sendable {
    /// A letter or digit of a word.
    case word
    /// A letter of a script that has no spaces between words, or that joins endings to words.
    ///
    /// Such text is indexed by overlapping pairs of letters.
    ///
    /// The scripts are Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese and related ones.
    case unspaced
    /// A mark or an invisible scalar, which belongs to the scalar before it.
    ///
    /// No word starts with it.
    case mark
    /// Any other scalar.
    ///
    /// It ends a word.
    case separator

    package init(_ scalar: Unicode.Scalar) {
        let value = scalar.value
        if value < 0x80 {
            let isWord = (value | 0x20) &- 0x61 < 26 || value &- 0x30 < 10
            self = isWord ? .word : .separator
        } else if 0xc0...0x24f ~= value {
            // Latin letters are recognised without a lookup in Unicode's tables. The same is true of Cyrillic, Chinese
            // and Korean letters below.
            self = value == 0xd7 || value == 0xf7 ? .separator : .word
        } else if 0x400...0x481 ~= value {
            self = .word
        } else if 0x3041...0x3096 ~= value || 0x30a1...0x30fa ~= value || 0x4e00...0x9fff ~= value
            || 0xac00...0xd7a3 ~= value
        {
            self = .unspaced
        } else {
            self = Self.rare(scalar)
        }
    }

    private static func rare(_ scalar: Unicode.Scalar) -> WordClass {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return .mark
        case .decimalNumber, .otherNumber: return .word
        case .modifierLetter where scalar == "\u{ff9e}" || scalar == "\u{ff9f}" || scalar == "\u{0640}":
            // These are half-width voicing marks, and the lengthening stroke of Arabic.
            return .mark
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .letterNumber:
            return isUnspaced(scalar.value) ? .unspaced : .word
        default:
            var isLeftOut = true
            Folding.diacritics.fold(scalar) { _ in isLeftOut = false }
            return isLeftOut ? .mark : .separator
        }
    }

    /// Whether a letter belongs to a script without spaces.
    private static func isUnspaced(_ value: UInt32) -> Bool {
        switch value {
        case ..<0x0e00: false
        case 0x0e00...0x0eff, 0x1000...0x109f, 0x1780...0x17ff: true  // Thai and Lao, Burmese, Khmer
        case 0x1950...0x19df, 0x1a20...0x1aaf, 0xa9e0...0xa9ff, 0xaa60...0xaadf: true  // Tai and Burmese more
        case 0x1100...0x11ff, 0x3130...0x318f, 0xa960...0xa97f, 0xac00...0xd7ff: true  // Korean
        case 0x2e80...0x312f, 0x31a0...0x31ff, 0xff66...0xff9f: true  // radicals, kana, bopomofo
        case 0xffa0...0xffdf: true  // Korean of half width
        case 0x3400...0x4dbf, 0x4e00...0x9fff, 0xf900...0xfaff: true  // ideographs
        case 0xa000...0xa4cf, 0x16fe0...0x18dff, 0x1aff0...0x1b2ff: true  // Yi, Tangut and Khitan, old kana
        case 0x20000...0x3ffff: true  // further ideographs
        default: false
        }
    }
}
