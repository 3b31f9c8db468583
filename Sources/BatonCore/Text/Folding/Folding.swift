/// The differences between letters that a text comparison ignores.
///
/// Queries (`c`, `d`) and the full-text index use the same table. Folding twice has the same result as folding once.
/// Texts that are equivalent in Unicode fold to the same scalars, so `é` is found however it was typed. Folding is the
/// same on every device, and does not depend on the person's language.
///
/// Letters are always decomposed into a base letter and marks. There are three exceptions, where readers see one
/// letter: Korean syllables, Japanese voiced kana (`が` is not `か`), and Cyrillic `й`. If such a letter is decomposed in
/// the text, as in file names from a Mac, it is composed.
///
/// If Apple's comparison and ICU's differ, folding follows the one that finds more. Apple's comparison does not change
/// `ø`, `ł` and `æ`, because Unicode does not decompose them. Here they become `o`, `l` and `ae`, as in ICU's root
/// order.
package struct Folding: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Ignores case and width.
    ///
    /// `ß` becomes `ss`, final `ς` becomes `σ`, and characters of full or half width become those of the usual width.
    ///
    /// `I` becomes `i` and not `ı`. So a Turkish word in capitals matches the word in small letters only if marks are
    /// ignored, too.
    package static let letterCase = Folding(rawValue: 1)

    /// Ignores marks.
    ///
    /// Letters with a stroke become plain letters, and ligatures become two letters.
    ///
    /// Marks are accents, breathings, Arabic vowel signs, hamza above and below letters, and Hebrew points. Invisible
    /// scalars are ignored, too: soft hyphens, joiners, and the lengthening stroke of Arabic. Unlike in ICU, `ı`
    /// becomes `i`. Otherwise, no search in small letters would find a Turkish word in capitals. The signs of Thai and
    /// of the scripts of India are kept, because they are vowels and letters.
    package static let diacritics = Folding(rawValue: 2)

    /// The folding for a search by words.
    package static let search: Folding = [.letterCase, .diacritics]

    /// The version of the tables.
    ///
    /// An index that was built with another version must be rebuilt.
    package static let version = 1

    /// Folds one scalar into none, one or several scalars.
    ///
    /// Scalars that are folded one by one are not composed. To fold a text, use `fold(_:into:)`.
    package func fold(_ scalar: Unicode.Scalar, _ take: (Unicode.Scalar) -> Void) {
        if scalar.value < 0x80 { return take(Unicode.Scalar(fold(ascii: UInt8(scalar.value)))) }
        FoldingTable.of(self).fold(scalar.value) { value in
            Unicode.Scalar(value).map(take)
        }
    }

    /// Folds an ASCII character into one ASCII character.
    func fold(ascii byte: UInt8) -> UInt8 {
        contains(.letterCase) && 0x41...0x5a ~= byte ? byte | 0x20 : byte
    }
}
