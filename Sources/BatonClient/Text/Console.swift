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
    private var waiting = ""

    /// A console with sinks of its own; the width is asked when it is needed, and nothing stands for no terminal.
    package init(width: @escaping () -> Int?, output: @escaping Sink, errors: @escaping Sink) {
        (measure, self.output, self.errors) = (width, output, errors)
    }

    /// The standard output and the standard error of this process.
    package static func standard() -> Console {
        Console(
            width: { Terminal.width(of: STDOUT_FILENO) },
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
        guard !waiting.isEmpty else { return }
        let text = waiting
        waiting = ""
        try output(text)
    }

    /// Tells what went wrong; a message has at most two lines, so that nothing in it can feign a third.
    package func report(_ failure: LocalFailure) {
        let lines = failure.text.split(separator: "\n", maxSplits: 1).map { VisibleText($0) }
        do throws(LocalFailure) {
            try errors(("baton: " + lines.joined("\n")).text + "\n")
        } catch {
            // Nobody is left to tell; the exit status still says what the failure was.
        }
    }

    /// Prints on the standard error, for what a person asked wrongly.
    package func explain(_ text: VisibleText) throws(LocalFailure) { try errors(text.text + "\n") }
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
