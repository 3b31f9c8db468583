/// The form in which the command and the node print a failure.
extension LocalFailure {
    /// Returns the lines of the message, wrapped between words at the width of the terminal.
    ///
    /// The first line says what happened, and the second line says what to type.
    ///
    /// The message never has more than two lines before they are wrapped. So text in a message can't look like another
    /// message.
    ///
    /// The only exception is a third line with a caret that points into the second line.
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
        // Wrapped lines are indented, so that they do not look like another message. The line above a caret is not
        // wrapped, because the caret points into it.
        let first = lines.prefix(1).flatMap { $0.wrapped(to: width, hanging: name.width) }
        let rest = lines.dropFirst()
        return first + (rest.count > 1 ? Array(rest) : rest.flatMap { $0.wrapped(to: width, hanging: 2) })
    }
}
