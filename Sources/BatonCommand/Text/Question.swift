package import BatonCore
import Glibc

/// Asks the person at the terminal.
package enum Question {
    /// Whether the standard input is a terminal.
    package static var canBeAsked: Bool { isatty(STDIN_FILENO) == 1 }

    /// Asks for consent.
    ///
    /// `y` and `yes` agree; anything else declines, and so does the end of the input.
    package static func isAgreed(
        to question: VisibleText, on console: Console
    ) throws(LocalFailure) -> Bool {
        console.print(question + " [y/N]")
        try console.flush()
        guard let answer = readLine() else { return false }
        return ["y", "yes"].contains(answer.lowercased())
    }

    /// Reads a line, or returns nil at the end of the input.
    package static func readLine() -> String? { Swift.readLine() }
}
