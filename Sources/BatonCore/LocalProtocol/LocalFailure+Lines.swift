/// How the command and the node print a failure.
extension LocalFailure {
    /// Returns the lines of the message, broken between words at a terminal's width: the first says what happened, the
    /// second what to type.
    ///
    /// There are never more lines, so that text in a message can't imitate another message.
    ///
    /// The only exception is a line with a caret that points into the second line.
    package func lines(width: Int?, name: VisibleText = "baton: ") -> [VisibleText] {
        var parts = text.split(separator: "\n", maxSplits: 1)
        if let last = parts.last, let place = last.lastIndex(of: "\n") {
            let caret = last[place...].dropFirst()
            if caret.last == "^", caret.dropLast().allSatisfy({ $0 == " " }) {
                parts[parts.count - 1] = last[..<place]
                parts.append(caret)
            }
        }
        var lines = parts.map { VisibleText($0) }
        if !lines.isEmpty { lines[0] = name + lines[0] }
        guard let width else { return lines }
        // Indentation keeps wrapped text from looking like another message. The line above a caret is not wrapped,
        // because the caret points into it.
        let first = lines.prefix(1).flatMap { $0.wrapped(to: width, hanging: name.width) }
        let rest = lines.dropFirst()
        return first + (rest.count > 1 ? Array(rest) : rest.flatMap { $0.wrapped(to: width, hanging: 2) })
    }
}
