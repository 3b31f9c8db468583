package import BatonCore

/// Rows of text under headings, with columns that line up in any script.
package struct Table {
    /// One column.
    package struct Column: Sendable {
        let heading: VisibleText
        /// The narrowest width, or nil if the column is never narrowed.
        let least: Int?
        /// Whether the column is dropped if the narrowest widths of all columns do not fit; earlier columns are dropped
        /// first.
        let isOptional: Bool

        /// A column, and how it is narrowed for a small terminal.
        package init(_ heading: VisibleText, least: Int? = nil, isOptional: Bool = false) {
            (self.heading, self.least, self.isOptional) = (heading, least, isOptional)
        }
    }

    private let columns: [Column]
    private var rows: [[MarkedText]] = []

    package init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row, with one text for each column.
    package mutating func add(_ row: [VisibleText]) { add(marked: row.map { MarkedText($0) }) }

    /// Adds a row with one text for each column; parts of a text may be marked.
    package mutating func add(marked row: [MarkedText]) {
        precondition(row.count == columns.count, "a row has as many texts as the table has columns")
        rows.append(row)
    }

    /// The headings and rows as lines of at most this many cells; nil means any width.
    ///
    /// Empty columns are left out. Parts have their looks if `isStyled`.
    package func lines(width: Int?, isStyled: Bool = false) -> [VisibleText] {
        markedLines(width: width).map { $0.shown(isStyled: isStyled) }
    }

    private func markedLines(width: Int?) -> [MarkedText] {
        var used = columns.indices.filter { column in rows.contains { !$0[column].isEmpty } }
        if let width {
            while least(used) > width, let first = used.first(where: { columns[$0].isOptional }) {
                used.removeAll { $0 == first }
            }
        }
        let headings = columns.map { MarkedText($0.heading, .dim) }
        let table = ([headings] + rows).map { row in used.map { row[$0] } }
        let widths = widths(of: table, columns: used.map { columns[$0] }, limit: width)
        return table.map { line($0, widths: widths, limit: width) }
    }

    /// The narrowest width of these columns together.
    private func least(_ used: [Int]) -> Int {
        used.reduce(-Self.gap) { sum, column in
            let width = rows.reduce(columns[column].heading.width) { max($0, $1[column].width) }
            return sum + Self.gap + min(width, columns[column].least ?? width)
        }
    }

    /// The width of each column, after narrowing the widest ones until the lines fit.
    private func widths(of table: [[MarkedText]], columns: [Column], limit: Int?) -> [Int] {
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

    /// One row, padded to the widths of the columns, without trailing spaces.
    private func line(_ row: [MarkedText], widths: [Int], limit: Int?) -> MarkedText {
        var (line, missing) = (MarkedText(""), 0)
        for (cell, width) in zip(row, widths) {
            let cut = cell.cut(to: width)
            // Programs that read lines need no marks for terminals.
            let text = limit == nil ? cut : cut.inPlace
            if !text.isEmpty {
                line = line + MarkedText(VisibleText(harmless: String(repeating: " ", count: missing))) + text
            }
            missing = width - text.width + Self.gap + (text.isEmpty ? missing : 0)
        }
        return limit.map { line.cut(to: $0) } ?? line
    }

    /// The number of cells between two columns.
    private static let gap = 2
}
