/// Decides whether a word of a command is plain: a word, name, path or address that does not look random.
enum PlainWord {
    /// The maximum length of a plain word in bytes.
    private static let bytesMost = 100

    /// Whether other machines may see a word.
    ///
    /// A word is random if one of its runs of letters and digits is random. A number of six digits or more may be a
    /// one-time code. The text after a colon may be a password, as in `user:password@host`. So a colon may only follow
    /// the scheme of an address. For the same reason, `user/password@host` is not plain: the part before the only slash
    /// has no `@`, but the part after it has one.
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

    /// Whether other machines may see a word that is the name or path of a program.
    ///
    /// Names of programs mix letters and digits more often than other words do. An example is `sha256sum`.
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

    /// Whether a part of a path looks random as a whole.
    ///
    /// Such a part is long, and has digits and capital letters inside words.
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
            // In random text, letters and digits alternate more often than in names.
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
