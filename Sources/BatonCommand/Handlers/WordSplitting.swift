import BatonCore

/// Splits a variable such as `EDITOR` into words, because people write such variables like commands.
///
/// Spaces separate words, unless quotation marks or backslashes protect them. No shell reads the variable, so it may
/// not contain anything that only a shell understands.
struct WordSplitting {
    private(set) var words: [String] = []

    init(_ text: String, of variable: String, home: String?) throws(LocalFailure) {
        var (word, isBegun): (String, Bool) = ("", false)
        var mark: Unicode.Scalar?
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch (scalar, mark) {
            case ("'", "'"), ("\"", "\""): mark = nil
            case ("'", nil), ("\"", nil): (mark, isBegun) = (scalar, true)
            case ("\\", nil), ("\\", "\""):
                guard let next = rest.popFirst() else { throw Self.failure(text, variable, "ends with \\") }
                if mark != nil, next != "\"", next != "\\" { word.unicodeScalars.append(scalar) }
                word.unicodeScalars.append(next)
                isBegun = true
            case (_, nil) where scalar.properties.isWhitespace:
                if isBegun { words.append(word) }
                (word, isBegun) = ("", false)
            case ("$", nil), ("`", nil), ("$", "\""), ("`", "\""), ("|", nil), ("&", nil), (";", nil),
                ("<", nil), (">", nil), ("(", nil), (")", nil), ("*", nil):
                throw Self.failure(text, variable, "contains \(scalar), which only a shell understands")
            case ("~", nil) where !isBegun && (rest.first == "/"):
                guard let home else { throw Self.failure(text, variable, "needs HOME, which is not set") }
                (word, isBegun) = (home, true)
            default:
                word.unicodeScalars.append(scalar)
                isBegun = true
            }
        }
        guard mark == nil else {
            throw Self.failure(text, variable, "has an unmatched quotation mark")
        }
        if isBegun { words.append(word) }
        guard words.first?.isEmpty == false else { throw Self.failure(text, variable, "names no program") }
    }

    private static func failure(_ text: String, _ variable: String, _ problem: String) -> LocalFailure {
        LocalFailure(
            .usage,
            "\(variable) is “\(VisibleText(text).text)”; it \(problem).\n"
                + "Set it to a program and its arguments, or to a script.")
    }
}
