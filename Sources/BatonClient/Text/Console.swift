package import BatonCore
import Glibc

/// Where the command's words go.
///
/// It takes text that was made visible and JSON, and nothing else. Lines gather until they are flushed, so that an
/// answer is one write. Used by one thread.
package final class Console {
    /// Takes text to where it is read.
    package typealias Sink = (String) throws(LocalFailure) -> Void

    private let output: Sink
    private let errors: Sink
    private let measure: () -> Int?
    private let measureErrors: () -> Int?
    private var waiting = ""
    /// The line on the terminal that says what is being waited for, if one stands there.
    private var progress: String?

    /// A console with sinks of its own; the widths are asked when they are needed, and nothing stands for no terminal.
    package init(
        width: @escaping () -> Int?, errorWidth: @escaping () -> Int? = { nil }, output: @escaping Sink,
        errors: @escaping Sink
    ) {
        (measure, measureErrors, self.output, self.errors) = (width, errorWidth, output, errors)
    }

    /// The standard output and the standard error of this process.
    package static func standard() -> Console {
        Console(
            width: { Terminal.width(of: STDOUT_FILENO) },
            errorWidth: { Terminal.width(of: STDERR_FILENO) },
            output: { (text) throws(LocalFailure) in try Terminal.write(text, to: STDOUT_FILENO) },
            errors: { (text) throws(LocalFailure) in try Terminal.write(text, to: STDERR_FILENO) })
    }

    /// The width of the terminal; nothing where the output goes elsewhere.
    package var width: Int? { measure() }

    /// Prints a line, or several.
    package func print(_ text: VisibleText) { waiting += text.text + "\n" }

    /// Prints a value on a line of its own.
    package func print(_ value: JSON) { waiting += value.text + "\n" }

    /// Prints a table, cut to the terminal's width.
    package func print(_ table: Table) {
        for line in table.lines(width: width) { print(line) }
    }

    /// Sends on what was printed.
    package func flush() throws(LocalFailure) {
        endProgress()
        guard !waiting.isEmpty else { return }
        let text = waiting
        waiting = ""
        try output(text)
    }

    /// Tells what went wrong; a message has at most two lines, so that nothing in it can feign a third.
    package func report(_ failure: LocalFailure) {
        endProgress()
        let lines = failure.text.split(separator: "\n", maxSplits: 1).map { VisibleText($0) }
        do throws(LocalFailure) {
            try errors(("baton: " + lines.joined("\n")).text + "\n")
        } catch {
            // Nobody is left to tell; the exit status still says what the failure was.
        }
    }

    /// Prints on the standard error, for what a person asked wrongly.
    package func explain(_ text: VisibleText) throws(LocalFailure) {
        endProgress()
        try errors(text.text + "\n")
    }

    // MARK: Waiting

    /// Whether there is a terminal that can show a line and take it back.
    package var canShowProgress: Bool { measureErrors() != nil }

    /// Shows a line in the place of the one that was shown before; it goes before anything else is printed.
    package func showProgress(_ text: VisibleText) {
        guard let width = measureErrors(), width > 1 else { return }
        let line = CellWidth.cut(text.text, to: width - 1)
        guard line != progress else { return }
        progress = line
        tellErrors(Self.erasure + line)
    }

    /// Takes that line back, if there is one.
    package func endProgress() {
        guard progress != nil else { return }
        progress = nil
        tellErrors(Self.erasure)
    }

    /// Back to the beginning of the line, and nothing on it.
    private static let erasure = "\r\u{1b}[K"

    private func tellErrors(_ text: String) {
        do throws(LocalFailure) {
            try errors(text)
        } catch {
            // Whoever waits is told how it ended all the same.
        }
    }
}

/// What the command asks of the descriptors that it was started with.
enum Terminal {
    /// The columns of the terminal behind a descriptor; nothing if there is no terminal.
    static func width(of descriptor: Int32) -> Int? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return Environment.variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
    }

    /// Writes all of the text.
    static func write(_ text: String, to descriptor: Int32) throws(LocalFailure) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                throw LocalFailure(.failed, "The answer can't be printed: \(SystemText.of(errno)).")
            }
        }
    }
}

/// The process's surroundings.
package enum Environment {
    /// The value of a variable, if it is set.
    package static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// The C library's words.
enum SystemText {
    /// What an error number means.
    static func of(_ number: Int32) -> String {
        strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }
}
