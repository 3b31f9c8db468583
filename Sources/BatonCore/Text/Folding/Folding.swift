/// Which differences between letters do not count when texts are compared.
///
/// Queries (`c`, `d`) and the full-text index share this one table. Folding twice is folding once, and texts that
/// Unicode calls equivalent fold to the same scalars, so that `é` is found however it was typed. It knows no
/// language: what the person's language is changes nothing, on any device.
///
/// Always, letters are taken apart into base and marks, except where the two are one letter to their readers:
/// Korean syllables, Japanese kana with voicing (`が` is not `か`), and Cyrillic `й`. Parts of such letters, as a
/// file name from a Mac has them, are put together.
///
/// Where Apple's comparison and that of ICU differ, the one that finds more is taken: Apple's leaves `ø`, `ł` and
/// `æ` as they are, since Unicode does not take them apart; here they are `o`, `l` and `ae`, as in ICU's root order.
package struct Folding: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Capitals are small letters, `ß` is `ss`, final `ς` is `σ`, and full and half width are the usual one.
    ///
    /// `I` is `i`, not `ı`; Turkish is told apart only by case, and not at all without marks.
    package static let letterCase = Folding(rawValue: 1)

    /// Marks are left out, and letters with a stroke or of two letters are the plain ones.
    ///
    /// Accents, breathings, Arabic vowel signs, hamza above and below letters, Hebrew points. What is invisible goes
    /// with them: soft hyphens, joiners, the lengthening of Arabic. `ı` is `i` here, which ICU would not say, but
    /// without it no Turkish word in capitals would be found by its small letters. The signs of Thai and of the
    /// scripts of India stay: there they are vowels and letters.
    package static let diacritics = Folding(rawValue: 2)

    /// What a search as typed compares by.
    package static let search: Folding = [.letterCase, .diacritics]

    /// Counts the tables that there were: an index that was made with another one has to be made again.
    package static let version = 1

    /// Folds one scalar, which becomes none, one or more.
    ///
    /// Scalars that come one by one are not put together; see `fold(_:into:)` for texts.
    package func fold(_ scalar: Unicode.Scalar, _ take: (Unicode.Scalar) -> Void) {
        if scalar.value < 0x80 { return take(Unicode.Scalar(fold(ascii: UInt8(scalar.value)))) }
        FoldingTable.of(self).fold(scalar.value) { value in
            Unicode.Scalar(value).map(take)
        }
    }

    /// Folds a character of ASCII, which stays one.
    func fold(ascii byte: UInt8) -> UInt8 {
        contains(.letterCase) && 0x41...0x5a ~= byte ? byte | 0x20 : byte
    }
}
