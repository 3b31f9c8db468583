package import BatonCore
import Glibc

/// Asks the person at the terminal.
package enum Question {
    /// Whether somebody is there to answer.
    package static var canBeAsked: Bool { isatty(STDIN_FILENO) == 1 }

    /// Asks for consent, by one rule for all questions: `y` or `yes` agrees, and all else declines, the end of the input
    /// too.
    package static func isAgreed(
        to question: VisibleText, on console: Console
    ) throws(LocalFailure) -> Bool {
        console.print(question + " [y/N]")
        try console.flush()
        guard let answer = readLine() else { return false }
        return ["y", "yes"].contains(answer.lowercased())
    }

    /// The line that is typed; nothing at the end of the input.
    package static func readLine() -> String? { Swift.readLine() }
}
