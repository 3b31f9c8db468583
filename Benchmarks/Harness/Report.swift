import Foundation

/// The results of a run: a table for people, and a file for programs.
struct Report {
    private var figures: [Figure] = []

    /// The header of the table.
    static let header = row("figure", "value", "unit", "reach", "")

    mutating func add(_ figure: Figure) { figures.append(figure) }

    /// The names of figures that are not what they should be.
    var failures: [String] { figures.filter { !$0.holds }.map(\.name) }

    /// One line of the table.
    static func line(_ figure: Figure) -> String {
        let reach =
            switch figure.reach {
            case .atLeast(let least): "≥ \(text(least))"
            case .atMost(let most): "≤ \(text(most))"
            case nil: ""
            }
        let verdict = figure.reach == nil ? "" : figure.holds ? "holds" : "MISSED"
        return row(figure.name, text(figure.value), figure.unit, reach, verdict)
    }

    /// Writes an array of all figures.
    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let file = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try encoder.encode(figures).write(to: file)
    }

    private static func row(_ columns: String...) -> String {
        zip(columns, [34, 12, 16, 8, 6]).map { column, width in
            let space = String(repeating: " ", count: max(0, width - column.count))
            // Numbers are aligned on the right.
            return width == 12 ? space + column : column + space
        }.joined(separator: "  ")
    }

    /// Three digits that say something, or all before the point.
    private static func text(_ number: Double) -> String {
        switch abs(number) {
        case 100...: String(format: "%.0f", number)
        case 10..<100: String(format: "%.1f", number)
        default: String(format: "%.2f", number)
        }
    }
}
