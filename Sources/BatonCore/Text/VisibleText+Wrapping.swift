extension VisibleText {
    /// Returns the lines of a message, broken between words so that each has at most `width` cells.
    ///
    /// A word that is longer than a line is not broken, and neither is a command: the terminal continues it on its next
    /// line, and what a person copies is still whole. A command stands between backticks, or at the end after a colon.
    /// The rest of a broken line is indented to the line's first word, to the text after a mark, to the second column,
    /// or by `indent` cells.
    package func wrapped(to width: Int, hanging indent: Int? = nil) -> [VisibleText] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            WrappedLine(line, to: width, hanging: indent).lines.map { VisibleText(harmless: $0) }
        }
    }
}

/// One line of a message, broken to fit a terminal.
private struct WrappedLine {
    private(set) var lines: [String] = []

    init(_ line: Substring, to width: Int, hanging indent: Int?) {
        guard CellWidth.of(line) > width else {
            lines = [String(line)]
            return
        }
        let indent = indent ?? Self.indent(of: line)
        // On a very narrow terminal an indentation would leave no room.
        let margin = String(repeating: " ", count: indent * 2 <= width ? indent : 0)
        var (current, used) = ("", 0)
        for piece in Self.pieces(of: line) {
            let (gap, cells) = (CellWidth.of(piece.gap), CellWidth.of(piece.word))
            if current.contains(where: { $0 != " " }), used + gap + cells > width {
                lines.append(current)
                (current, used) = (margin + piece.word, margin.count + cells)
            } else if used + gap + cells > width, cells <= width {
                // The first word fits on a line, but not behind its indentation.
                (current, used) = (String(repeating: " ", count: width - cells) + piece.word, width)
            } else {
                current += piece.gap + piece.word
                used += gap + cells
            }
        }
        lines.append(current)
    }

    /// The words of a line, each with the spaces before it; a command is one word.
    private static func pieces(of line: Substring) -> [(gap: Substring, word: Substring)] {
        var pieces: [(gap: Substring, word: Substring)] = []
        var rest = line
        while !rest.isEmpty {
            let start = rest.firstIndex { $0 != " " } ?? rest.endIndex
            // The first colon does not count: an error begins with the name of the program and a colon.
            let followsColon = pieces.count > 1 && pieces.last?.word.hasSuffix(":") == true
            let isCommand = followsColon && ["baton ", "cd "].contains { rest[start...].hasPrefix($0) }
            let end = isCommand ? rest.endIndex : wordEnd(rest[start...])
            if start < end || pieces.isEmpty { pieces.append((rest[..<start], rest[start..<end])) }
            rest = rest[end...]
        }
        return pieces
    }

    /// Returns the end of the first word: the first space outside of backticks.
    private static func wordEnd(_ rest: Substring) -> Substring.Index {
        var place = rest.startIndex
        while place < rest.endIndex, rest[place] != " " {
            let next = rest.index(after: place)
            let closing = rest[place] == "`" ? rest[next...].firstIndex(of: "`") : nil
            place = closing.map { rest.index(after: $0) } ?? next
        }
        return place
    }

    /// Returns the cells before the text of a line: before its second column, or after a mark, else before its first
    /// word.
    private static func indent(of line: Substring) -> Int {
        let start = line.firstIndex { $0 != " " } ?? line.startIndex
        if let gap = line[start...].firstRange(of: "  ") {
            let column = line[gap.lowerBound...].firstIndex { $0 != " " } ?? gap.upperBound
            return CellWidth.of(line[..<column])
        }
        let end = line[start...].firstIndex(of: " ") ?? line.endIndex
        let word = line[start..<end]
        let isMark = word.count == 1 && word.allSatisfy { !$0.isLetter && !$0.isNumber }
        return CellWidth.of(line[..<start]) + (isMark ? 2 : 0)
    }
}
