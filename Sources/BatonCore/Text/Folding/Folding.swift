/// The differences between letters that a text comparison ignores.
///
/// Queries (`c`, `d`) and the full-text index share this one table. Folding twice gives the same result as folding
/// once, and texts that Unicode calls equivalent fold to the same scalars, so that `é` is found however it was typed.
/// Folding does not depend on the person's language, on any device.
///
/// Letters are always decomposed into base and marks, except where readers treat both as one letter: Korean syllables,
/// Japanese kana with voicing (`が` is not `か`), and Cyrillic `й`. Decomposed forms of such letters, as in file names
/// from a Mac, are composed.
///
/// Where Apple's comparison and ICU's differ, the one that finds more is used: Apple's leaves `ø`, `ł` and `æ`
/// unchanged, since Unicode does not decompose them; here they are `o`, `l` and `ae`, as in ICU's root order.
package struct Folding: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Ignores case and width: `ß` is `ss`, final `ς` is `σ`, and full and half width are the usual width.
    ///
    /// `I` is `i`, not `ı`: a Turkish word in capitals matches its small letters only if marks are ignored as well.
    package static let letterCase = Folding(rawValue: 1)

    /// Ignores marks; letters with a stroke and ligatures of two letters become plain letters.
    ///
    /// Marks are accents, breathings, Arabic vowel signs, hamza above and below letters, and Hebrew points. Invisible
    /// scalars are ignored as well: soft hyphens, joiners, the lengthening of Arabic. `ı` is `i` here, unlike in ICU;
    /// otherwise no Turkish word in capitals would be found by its small letters. The signs of Thai and of the scripts
    /// of India stay: there they are vowels and letters.
    package static let diacritics = Folding(rawValue: 2)

    /// The folding for search as typed.
    package static let search: Folding = [.letterCase, .diacritics]

    /// The version of the tables: an index that was built with another version has to be rebuilt.
    package static let version = 1

    /// Folds one scalar, which becomes none, one or more.
    ///
    /// Scalars that are folded one by one are not composed; use `fold(_:into:)` for texts.
    package func fold(_ scalar: Unicode.Scalar, _ take: (Unicode.Scalar) -> Void) {
        if scalar.value < 0x80 { return take(Unicode.Scalar(fold(ascii: UInt8(scalar.value)))) }
        FoldingTable.of(self).fold(scalar.value) { value in
            Unicode.Scalar(value).map(take)
        }
    }

    /// Folds an ASCII character, which stays one character.
    func fold(ascii byte: UInt8) -> UInt8 {
        contains(.letterCase) && 0x41...0x5a ~= byte ? byte | 0x20 : byte
    }
}
