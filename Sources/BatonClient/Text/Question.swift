import Glibc

/// Asks the person at the terminal.
package enum Question {
    /// Whether somebody is there to answer.
    package static var canBeAsked: Bool { isatty(STDIN_FILENO) == 1 }

    /// The line that is typed; nothing at the end of the input.
    package static func readLine() -> String? { Swift.readLine() }
}
