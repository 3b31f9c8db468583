package import BatonCore

/// Rows of text under headings, in columns that are right for any script.
package struct Table {
    /// One column.
    package struct Column: Sendable {
        let heading: VisibleText
        /// The fewest cells it may be cut to; nothing if it is never cut.
        let least: Int?
        /// Whether it is left out, before those behind it, where even the fewest cells of all are too many.
        let isOptional: Bool

        /// A column under a heading, and how it gives way where the terminal is narrow.
        package init(_ heading: VisibleText, least: Int? = nil, isOptional: Bool = false) {
            (self.heading, self.least, self.isOptional) = (heading, least, isOptional)
        }
    }

    private let columns: [Column]
    private var rows: [[VisibleText]] = []

    package init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row with one text a column.
    package mutating func add(_ row: [VisibleText]) {
        precondition(row.count == columns.count, "a row has as many texts as the table has columns")
        rows.append(row)
    }

    /// The headings and the rows as lines, none wider than that many cells; nothing means that any width will do.
    ///
    /// A column in which nothing stands is left out.
    package func lines(width: Int?) -> [VisibleText] {
        var used = columns.indices.filter { column in rows.contains { !$0[column].isEmpty } }
        if let width {
            while least(used) > width, let first = used.first(where: { columns[$0].isOptional }) {
                used.removeAll { $0 == first }
            }
        }
        let table = ([columns.map(\.heading)] + rows).map { row in used.map { row[$0] } }
        let widths = widths(of: table, columns: used.map { columns[$0] }, limit: width)
        return table.map { line($0, widths: widths, limit: width) }
    }

    /// The fewest cells that these columns need together.
    private func least(_ used: [Int]) -> Int {
        used.reduce(-Self.gap) { sum, column in
            let width = rows.reduce(columns[column].heading.width) { max($0, $1[column].width) }
            return sum + Self.gap + min(width, columns[column].least ?? width)
        }
    }

    /// The width of each column, after the widest ones gave way until the lines fit.
    private func widths(of table: [[VisibleText]], columns: [Column], limit: Int?) -> [Int] {
        var widths = columns.indices.map { column in table.reduce(0) { max($0, $1[column].width) } }
        guard let limit else { return widths }
        var excess = widths.reduce(0, +) + Self.gap * max(0, widths.count - 1) - limit
        while excess > 0 {
            let giving = columns.indices.filter { column in
                columns[column].least.map { widths[column] > $0 } ?? false
            }
            guard let widest = giving.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    /// One row, padded to the columns' widths, with nothing behind its last text.
    private func line(_ row: [VisibleText], widths: [Int], limit: Int?) -> VisibleText {
        var (line, missing) = ("", 0)
        for (cell, width) in zip(row, widths) {
            let text = CellWidth.cut(cell.text, to: width)
            if !text.isEmpty { line += String(repeating: " ", count: missing) + text }
            missing = width - CellWidth.of(text) + Self.gap + (text.isEmpty ? missing : 0)
        }
        return VisibleText(harmless: limit.map { CellWidth.cut(line, to: $0) } ?? line)
    }

    /// The empty cells between two columns.
    private static let gap = 2
}
