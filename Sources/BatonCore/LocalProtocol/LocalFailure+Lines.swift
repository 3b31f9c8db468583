/// How the command and the node print a failure.
extension LocalFailure {
    /// Returns the lines of the message, broken between words at a terminal's width: the first says what happened, the
    /// second what to type, so that the contents of a message can't feign a third.
    ///
    /// A line with only a caret may follow, which points into the second line.
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
        // No part of a message can look like another one. A caret needs the line above it as it is.
        let first = lines.prefix(1).flatMap { $0.wrapped(to: width, hanging: name.width) }
        let rest = lines.dropFirst()
        return first + (rest.count > 1 ? Array(rest) : rest.flatMap { $0.wrapped(to: width, hanging: 2) })
    }
}
