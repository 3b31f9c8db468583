import Foundation

/// Standard input and output.
enum Terminal {
    /// Calls the closure with each line of standard input, and with nil at its end, on a thread of its own.
    static func readLines(_ handle: @escaping @Sendable (String?) -> Void) {
        Thread.detachNewThread {
            while let line = readLine() { handle(line) }
            handle(nil)
        }
    }

    /// Shows a prompt, if a person types.
    static func prompt(_ text: String) {
        if isatty(STDIN_FILENO) == 1 { write(text) }
    }

    fileprivate static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}

/// Writes a line of text.
///
/// Notes come from other machines, too: characters that control the terminal are replaced.
func show(_ text: String) {
    let visible = text.unicodeScalars.map { scalar in
        scalar.properties.generalCategory == .control && scalar != "\n" ? "\u{FFFD}" : scalar
    }
    Terminal.write(String(String.UnicodeScalarView(visible)) + "\n")
}
