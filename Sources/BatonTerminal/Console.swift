package import BatonClient
package import BatonCore
import Glibc

/// The output of the command.
///
/// It accepts visible text and JSON, and nothing else. Lines are buffered until they are flushed, so that an answer is
/// one write. Used by one thread.
package final class Console {
    /// Writes text.
    package typealias Sink = (String) throws(LocalFailure) -> Void

    private let output: Sink
    private let errors: Sink
    private let measure: () -> Int?
    private let measureHeight: () -> Int?
    private let measureErrors: () -> Int?
    /// Whether the output may have bold, dim and coloured text.
    package let hasStyle: Bool
    private var waiting = ""
    /// The number of lines of the last drawing, which the next one replaces.
    private var drawn = 0
    /// The progress line on the terminal; nil if none is shown.
    private var progress: String?

    /// A console with these sinks; the sizes are measured when they are needed, and are nil without a terminal.
    package init(
        width: @escaping () -> Int?, height: @escaping () -> Int? = { nil },
        errorWidth: @escaping () -> Int? = { nil }, hasStyle: Bool = false, output: @escaping Sink,
        errors: @escaping Sink
    ) {
        (measure, measureHeight, measureErrors) = (width, height, errorWidth)
        (self.output, self.errors, self.hasStyle) = (output, errors, hasStyle)
    }

    /// The standard output and the standard error of this process.
    package static func standard() -> Console {
        Console(
            width: { Terminal.size(of: STDOUT_FILENO)?.width },
            height: { Terminal.size(of: STDOUT_FILENO)?.height },
            errorWidth: { Terminal.size(of: STDERR_FILENO)?.width },
            hasStyle: Terminal.hasStyle(STDOUT_FILENO),
            output: { (text) throws(LocalFailure) in try Terminal.write(text, to: STDOUT_FILENO) },
            errors: { (text) throws(LocalFailure) in try Terminal.write(text, to: STDERR_FILENO) })
    }

    /// The width of the terminal, or nil if the output goes elsewhere.
    package var width: Int? { measure() }

    /// Prints a message of one or more lines, broken between words at a terminal's width.
    package func print(_ text: VisibleText) { for line in lines(of: text) { print(exactly: line) } }

    /// Prints one or more lines as they are: for tables, and for what is copied or read by another program.
    package func print(exactly text: VisibleText) { waiting += text.text + "\n" }

    /// Returns the lines of a message on this terminal.
    package func lines(of text: VisibleText) -> [VisibleText] { width.map { text.wrapped(to: $0) } ?? [text] }

    /// Prints a value on a line of its own.
    package func print(_ value: JSON) { waiting += value.text + "\n" }

    /// Prints a part of a value, whose line goes on.
    package func print(part: String) { waiting += part }

    /// Prints a table, cut to the terminal's width.
    package func print(_ table: Table) {
        for line in table.lines(width: width, isStyled: hasStyle) { print(exactly: line) }
    }

    /// Draws lines in place of the last drawing, up to the height of the terminal.
    package func draw(_ lines: [VisibleText]) throws(LocalFailure) {
        let most = max(2, measureHeight() ?? .max) - 1
        var shown = Array(lines.prefix(most))
        if lines.count > most {
            shown[most - 1] = "… and \(lines.count - most + 1) more"
        }
        // Moves to the first line, and erases everything below.
        if drawn > 0 { waiting += "\u{1b}[\(drawn)A\r\u{1b}[J" }
        drawn = shown.count
        for line in shown { print(exactly: line) }
        try flush()
    }

    /// Keeps the last drawing on the screen, because other lines follow.
    package func leaveDrawing() { drawn = 0 }

    /// Writes what was printed.
    package func flush() throws(LocalFailure) {
        endProgress()
        guard !waiting.isEmpty else { return }
        let text = waiting
        waiting = ""
        try output(text)
    }

    /// Prints a failure of a program.
    package func report(_ failure: LocalFailure, of program: VisibleText = "baton") {
        endProgress()
        do throws(LocalFailure) {
            try errors(failure.lines(width: measureErrors(), name: program + ": ").joined("\n").text + "\n")
        } catch {
            // If the message can't be shown, the exit status still tells the failure.
        }
    }

    /// Prints a message on the standard error, broken between words at a terminal's width.
    package func explain(_ text: VisibleText) throws(LocalFailure) {
        endProgress()
        let lines = measureErrors().map { text.wrapped(to: $0) } ?? [text]
        try errors(lines.joined("\n").text + "\n")
    }

    // MARK: Waiting

    /// Whether the standard error is a terminal.
    package var canShowProgress: Bool { measureErrors() != nil }

    /// Shows a progress line in place of the last one; it disappears before anything else is printed.
    package func showProgress(_ text: VisibleText) {
        guard let width = measureErrors(), width > 1 else { return }
        let line = CellWidth.cut(text.text, to: width - 1)
        guard line != progress else { return }
        progress = line
        tellErrors(Self.erasure + line)
    }

    /// Removes the progress line, if there is one.
    package func endProgress() {
        guard progress != nil else { return }
        progress = nil
        tellErrors(Self.erasure)
    }

    /// Returns to the start of the line, and erases it.
    private static let erasure = "\r\u{1b}[K"

    private func tellErrors(_ text: String) {
        do throws(LocalFailure) {
            try errors(text)
        } catch {
            // Progress is not essential: the result is still reported.
        }
    }
}
