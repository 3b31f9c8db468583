/// Judges whether a word of a command is plain: a word, a name, a path or an address, and nothing that looks random.
enum PlainWord {
    /// The most bytes of a plain word.
    private static let bytesMost = 100

    /// Whether a word may be told.
    ///
    /// A word is random if one of its runs of letters and digits is. A number of six digits or more may be a one-time
    /// code. The text after a colon may be a password, as in `user:password@host`, so a colon is plain only after the
    /// scheme of an address. For the same reason, no slash may stand before the only `@`, as in `user/password@host`.
    static func isPlain(_ word: String) -> Bool {
        guard let first = word.unicodeScalars.first, first != "-", word.utf8.count <= bytesMost else {
            return false
        }
        var rest = word[...]
        for scheme in ["http://", "https://"] where rest.hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count)
        }
        let isAddress = rest.startIndex != word.startIndex
        if rest.first == "~" { rest = rest.dropFirst() }
        guard rest.unicodeScalars.allSatisfy({ isPlain($0) && !(isAddress && $0 == "@") }) else {
            return false
        }
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, !parts[0].isEmpty, !parts[0].contains("@"), parts[1].contains("@") {
            return false
        }
        if rest.utf8.count >= 6, rest.unicodeScalars.allSatisfy(isDigit) { return false }
        return parts.allSatisfy { part in
            !isMixed(part)
                && part.split(whereSeparator: { ".-_+@".contains($0) }).allSatisfy { !isRandom($0) }
        }
    }

    /// Whether a word may be told as the name of a program or its path.
    ///
    /// The names of programs mix letters and digits more often than other words do, as `sha256sum`.
    static func isProgram(_ word: String) -> Bool {
        isPlain(word) || word.utf8.count <= 16 && word.unicodeScalars.allSatisfy(isPlain) && word.first != "-"
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        isLetter(scalar) || isDigit(scalar) || "./-_+@".unicodeScalars.contains(scalar)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            ? "a"..."z" ~= scalar || "A"..."Z" ~= scalar
            : scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
    }

    /// Whether a part of a path looks random as a whole: long, with digits and with capital letters inside words.
    private static func isMixed(_ part: Substring) -> Bool {
        let scalars = part.unicodeScalars
        let hump = zip(scalars, scalars.dropFirst()).contains { "a"..."z" ~= $0 && "A"..."Z" ~= $1 }
        return scalars.count >= 16 && hump && scalars.contains(where: isDigit)
    }

    /// Whether a run of letters and digits looks random.
    private static func isRandom(_ run: Substring) -> Bool {
        let scalars = Array(run.unicodeScalars)
        let digits = scalars.filter(isDigit).count
        if digits == scalars.count { return digits >= 9 }
        if digits > 0 {
            // Random text goes from letters to digits and back more often than names do.
            let changes = zip(scalars, scalars.dropFirst()).filter { isDigit($0) != isDigit($1) }.count
            return scalars.count >= 10 || changes >= 3 || changes == 2 && scalars.count >= 6
        }
        guard scalars.allSatisfy(\.isASCII) else { return scalars.count > 40 }
        let humps = zip(scalars, scalars.dropFirst()).filter { "a"..."z" ~= $0 && "A"..."Z" ~= $1 }.count
        if humps > 0, scalars.count > 20 || humps >= 3 && humps * 5 >= scalars.count { return true }
        let vowels = scalars.filter { "aeiouyAEIOUY".unicodeScalars.contains($0) }.count
        return scalars.count > 24 || scalars.count >= 10 && vowels * 9 < scalars.count * 2
    }
}
