/// Escapes text for roff.
///
/// There, a backslash is special, and so is a full stop at the beginning of a line.
enum Roff {
    /// Escapes text that is part of a line.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            // `\-` prints the ASCII hyphen. Roff may print a plain `-` as another character.
            case "-": escaped += "\\-"
            case "`": escaped += "\\(ga"
            case "'": escaped += "\\(aq"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case "\"": escaped += "\\(dq"
            case "“": escaped += "\\(lq"
            case "”": escaped += "\\(rq"
            case "…": escaped += "..."
            case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
            default: escaped += "\\[u" + hexadecimal(scalar.value) + "]"
            }
        }
        return escaped
    }

    /// Escapes text that is a whole line.
    static func line(_ text: String) -> String {
        let escaped = escaped(text)
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }

    /// Escapes text that is a whole line, and prints everything between backquotes in bold.
    static func prose(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        var line = ""
        for (place, part) in parts.enumerated() {
            line += place % 2 == 1 && place < parts.count - 1 ? "\\fB\(escaped(part))\\fR" : escaped(part)
        }
        return line.hasPrefix(".") ? "\\&" + line : line
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
