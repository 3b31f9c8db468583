/// Escapes text for roff, in which a backslash, and a full stop at the start of a line, have a meaning.
enum Roff {
    /// Escapes text within a line.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            // This is the hyphen that is typed; a bare one may be printed as another character.
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

    /// Escapes text as a whole line.
    static func line(_ text: String) -> String {
        let escaped = escaped(text)
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }

    /// Escapes text as a whole line, with everything between backquotes in bold.
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
