package import BatonCore

/// The screen of a list in which a person chooses while they type: the line, the rows, and notes about the chosen row.
///
/// A new one is made from the same state for each drawing and each click.
package struct ListScreen {
    private let prompt: VisibleText
    private let line: TextLine
    /// How many rows there are, in words.
    private let count: VisibleText
    private let rows: [ListRow]
    /// The place of the chosen row.
    package let choice: Int
    /// The list's first visible line, unless it would hide the chosen row.
    private let top: Int
    /// The preview of the chosen row; nil while it is closed.
    private let preview: Preview?
    private let (width, height): (Int, Int)
    /// The lines at the bottom of the screen, and the width of the list in cells.
    private let bottom: [MarkedText]
    private let listWidth: Int
    private let entries: [Entry]
    private let columns: ListColumns

    /// A line of the list.
    private enum Entry {
        case heading(VisibleText)
        case row(Int)
    }

    /// The fewest lines of a screen with notes about the chosen row, and of one that also has a rule above them.
    package static let heightForNotes = 8
    private static let heightForRule = 12
    /// The fewest lines of a list that has headings.
    private static let listForHeadings = 8
    /// The fewest lines of a screen that shows a preview below the list.
    private static let heightForPreview = 5
    /// The fewest cells of a terminal that shows a preview beside the list.
    package static let widthForPreview = 110
    private static let separator = MarkedText(" │ ", .dim)

    /// A screen of that size, with notes about the chosen row, and a last line with help.
    package init(
        prompt: VisibleText, line: TextLine, count: VisibleText, rows: [ListRow], choice: Int, top: Int,
        notes: [MarkedText], help: MarkedText, preview: Preview?, width: Int, height: Int
    ) {
        (self.prompt, self.line, self.count) = (prompt, line, count)
        (self.rows, self.choice, self.top) = (rows, choice, top)
        self.preview = preview
        // Terminals disagree about the width of some characters, so the last cell stays free.
        (self.width, self.height) = (max(width - 1, 1), max(height, 1))
        let isBeside = preview != nil && width >= Self.widthForPreview
        listWidth = isBeside ? (self.width - Self.separator.width) / 2 : self.width
        bottom = Self.bottom(
            notes, help, below: isBeside ? nil : preview, width: self.width, height: self.height)
        columns = ListColumns(rows, width: listWidth)
        let room = max(self.height - 1 - bottom.count, 0)
        entries = Self.entries(rows, withHeadings: room >= Self.listForHeadings)
    }

    private static func bottom(
        _ notes: [MarkedText], _ help: MarkedText, below preview: Preview?, width: Int, height: Int
    ) -> [MarkedText] {
        guard height > 2 else { return [] }
        let rule = MarkedText(VisibleText(harmless: String(repeating: "─", count: width)), .dim)
        if let preview, height >= heightForPreview {
            let lines = preview.lines(width: width, height: height / 2 - 1)
            return (height >= heightForNotes ? [rule] : []) + lines + [help]
        }
        guard height >= heightForNotes else { return [help] }
        return (height >= heightForRule ? [rule] : []) + notes + [help]
    }

    private static func entries(_ rows: [ListRow], withHeadings: Bool) -> [Entry] {
        let hasHeadings = withHeadings && Set(rows.compactMap(\.group?.text)).count > 1
        var (entries, last) = ([Entry](), VisibleText?.none)
        for place in rows.indices {
            if hasHeadings, let group = rows[place].group, group != last { entries.append(.heading(group)) }
            last = rows[place].group
            entries.append(.row(place))
        }
        return entries
    }

    // MARK: The list

    /// The number of lines of the list.
    private var room: Int { max(height - 1 - bottom.count, 0) }

    /// The list's first visible line, which leaves the chosen row visible.
    package var firstLine: Int {
        let chosen = entries.firstIndex { if case .row(choice) = $0 { true } else { false } } ?? 0
        var first = chosen
        if chosen > 0, case .heading = entries[chosen - 1] { first = chosen - 1 }
        return max(min(top, first), chosen - room + 1, 0)
    }

    /// The place of the row at a cell of the screen, both counted from zero; nil if there is no row.
    package func row(atLine line: Int, cell: Int) -> Int? {
        let place = firstLine + line - 1
        guard line > 0, line <= room, cell < listWidth, place < entries.count,
            case .row(let row) = entries[place]
        else { return nil }
        return row
    }

    private func shown(_ entry: Entry) -> MarkedText {
        switch entry {
        case .heading(let text): return MarkedText("  " + text, .dim)
        case .row(let place):
            let line = columns.line(rows[place])
            guard place == choice else { return MarkedText("  ") + line }
            return MarkedText("▌ ", .name) + line.padded(to: listWidth - ListColumns.margin).inverted
        }
    }

    // MARK: The screen

    /// The lines, and the number of cells before the cursor, which is in the first line.
    package var lines: (lines: [MarkedText], cursor: Int) {
        let typed = line.shown(width: max(width - prompt.width, 1))
        var lines = [MarkedText(prompt, .name) + MarkedText(typed.text)]
        // The count is left out if there is no room beside the typed text.
        if lines[0].width + 2 + count.width <= width {
            lines[0] = lines[0].padded(to: width - count.width) + MarkedText(count, .dim)
        }
        var list = entries.dropFirst(firstLine).prefix(room).map { shown($0).cut(to: listWidth) }
        list += repeatElement(MarkedText(""), count: max(room - list.count, 0))
        if listWidth < width, let preview {
            let rest = width - listWidth - Self.separator.width
            list = zip(list, preview.lines(width: rest, height: room)).map { row, beside in
                row.padded(to: listWidth) + Self.separator + beside
            }
        }
        lines = (lines + list + bottom).prefix(height).map { $0.cut(to: width) }
        return (lines, min(prompt.width + typed.cursor, width - 1))
    }
}
