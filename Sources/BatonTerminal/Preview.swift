package import BatonCore

/// The details of the chosen row, which are shown while a person chooses.
package struct Preview: Equatable {
    /// The first line, which is always shown.
    package let title: VisibleText
    package var lines: [Line] = []
    /// The line that must be visible; nil for the first one.
    package var focus: Int?

    package init(title: VisibleText, lines: [Line] = [], focus: Int? = nil) {
        (self.title, self.lines, self.focus) = (title, lines, focus)
    }

    package struct Line: Equatable {
        package let text: VisibleText
        package var style = MarkedText.Style.plain
        /// Whether a long line is wrapped, not cut.
        package var wraps = true

        package init(text: VisibleText, style: MarkedText.Style = .plain, wraps: Bool = true) {
            (self.text, self.style, self.wraps) = (text, style, wraps)
        }
    }

    /// The lines that fill a part of the screen; missing ones are empty.
    package func lines(width: Int, height: Int) -> [MarkedText] {
        let (width, room) = (max(width, 1), max(height - 1, 0))
        var (shown, seen) = ([MarkedText](), 0)
        for (place, line) in lines.enumerated() {
            if place == focus { seen = shown.count }
            let parts = line.wraps ? Self.wrapped(line.text, width: width) : [line.text]
            shown += parts.map { MarkedText($0, line.style).cut(to: width).inPlace }
        }
        // A third of the room is above the line, unless there are too few lines below it.
        let start = max(min(seen - room / 3, shown.count - room), 0)
        let part = Array(shown.dropFirst(start).prefix(room))
        let all = [MarkedText(title, .bold).cut(to: width).inPlace] + part
        let padding = repeatElement(MarkedText(""), count: max(height - all.count, 0))
        return Array((all + padding).prefix(max(height, 0)))
    }

    /// The longest text that is wrapped, in characters.
    private static let wrappedMost = 4096

    /// Breaks a text at spaces, and in words that are too long for a line.
    package static func wrapped(_ text: VisibleText, width: Int) -> [VisibleText] {
        var (lines, line, used) = ([String](), "", 0)
        for character in text.text.prefix(wrappedMost) {
            let cells = CellWidth.of(character)
            if used + cells > width, !line.isEmpty {
                let space = line.lastIndex(of: " ")
                let rest = character == " " ? "" : space.map { String(line[line.index(after: $0)...]) } ?? ""
                lines.append(character == " " ? line : space.map { String(line[..<$0]) } ?? line)
                (line, used) = (rest, CellWidth.of(rest))
                if character == " " { continue }
            }
            line.append(character)
            used += cells
        }
        return (lines + [line]).map { VisibleText(harmless: $0) }
    }
}
