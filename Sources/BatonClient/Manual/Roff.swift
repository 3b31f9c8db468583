/// Text as roff has it, in which a backslash, and a full stop at the beginning of a line, mean something.
enum Roff {
    /// The text as part of a line.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            // The hyphen that is typed, not the one between syllables.
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

    /// The text as a line of its own.
    static func line(_ text: String) -> String {
        let escaped = escaped(text)
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }

    /// The text with what stands between backquotes in bold, as it is typed.
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
