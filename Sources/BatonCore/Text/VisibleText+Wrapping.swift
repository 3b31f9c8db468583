extension VisibleText {
    /// Returns the lines of a message, broken between words so that each line has at most `width` cells.
    ///
    /// A word that is longer than a line is not broken, and neither is a command. The terminal itself continues it on
    /// the next line, so a person can copy it as a whole. A command is a text between backticks, or a text at the end
    /// of a line after a colon. The continuation of a broken line is indented by `indent` cells. If `indent` is nil, it
    /// is aligned with the line's first word, with the text after a mark, or with the second column.
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
        // On a very narrow terminal, an indentation would leave no room for the text.
        let margin = String(repeating: " ", count: indent * 2 <= width ? indent : 0)
        var (current, used) = ("", 0)
        for piece in Self.pieces(of: line) {
            let (gap, cells) = (CellWidth.of(piece.gap), CellWidth.of(piece.word))
            if current.contains(where: { $0 != " " }), used + gap + cells > width {
                lines.append(current)
                (current, used) = (margin + piece.word, margin.count + cells)
            } else if used + gap + cells > width, cells <= width {
                // The first word would fit on a line without its indentation. So the indentation is reduced.
                (current, used) = (String(repeating: " ", count: width - cells) + piece.word, width)
            } else {
                current += piece.gap + piece.word
                used += gap + cells
            }
        }
        lines.append(current)
    }

    /// Splits a line into words, each with the spaces before it.
    ///
    /// A command counts as one word.
    private static func pieces(of line: Substring) -> [(gap: Substring, word: Substring)] {
        var pieces: [(gap: Substring, word: Substring)] = []
        var rest = line
        while !rest.isEmpty {
            let start = rest.firstIndex { $0 != " " } ?? rest.endIndex
            // The first word is not checked for a colon, because an error begins with the program's name and a colon.
            let followsColon = pieces.count > 1 && pieces.last?.word.hasSuffix(":") == true
            let isCommand = followsColon && ["baton ", "cd "].contains { rest[start...].hasPrefix($0) }
            let end = isCommand ? rest.endIndex : wordEnd(rest[start...])
            if start < end || pieces.isEmpty { pieces.append((rest[..<start], rest[start..<end])) }
            rest = rest[end...]
        }
        return pieces
    }

    /// Returns the end of the first word, which is the first space outside of backticks.
    private static func wordEnd(_ rest: Substring) -> Substring.Index {
        var place = rest.startIndex
        while place < rest.endIndex, rest[place] != " " {
            let next = rest.index(after: place)
            let closing = rest[place] == "`" ? rest[next...].firstIndex(of: "`") : nil
            place = closing.map { rest.index(after: $0) } ?? next
        }
        return place
    }

    /// Returns the indentation for the continuation of a line, in cells.
    ///
    /// It is the start of the line's second column. If there is no second column, it is the text after a mark, or else
    /// the first word.
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
