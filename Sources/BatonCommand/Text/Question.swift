package import BatonCore
package import BatonTerminal
import Glibc

/// Asks the person at the terminal a question.
package enum Question {
    /// Whether the standard input is a terminal, at which a person can answer.
    package static var canBeAsked: Bool { isatty(STDIN_FILENO) == 1 }

    /// Asks for consent; returns whether the person agreed.
    ///
    /// The answers `y` and `yes` mean consent. Any other answer and the end of the input mean the opposite.
    package static func isAgreed(
        to question: VisibleText, on console: Console
    ) throws(LocalFailure) -> Bool {
        console.print(question + " [y/N]")
        try console.flush()
        guard let answer = readLine() else { return false }
        return ["y", "yes"].contains(answer.lowercased())
    }

    /// Reads a line of the standard input; returns nil at its end.
    package static func readLine() -> String? { Swift.readLine() }
}
