package import BatonCore

/// A program that opens a window with a terminal.
package struct TerminalWindow {
    /// The command for a window with the person's shell.
    package let words: [String]
    /// The arguments before a command that is to run in the window.
    private let beforeCommand: [String]

    /// The known programs, and what each wants before a command; the person's choice goes first.
    private static let known: [(program: String, beforeCommand: [String])] = [
        ("xdg-terminal-exec", []), ("x-terminal-emulator", ["-e"]), ("foot", []), ("kitty", []),
        ("alacritty", ["-e"]), ("konsole", ["-e"]), ("gnome-terminal", ["--"]), ("xterm", ["-e"]),
    ]

    /// Finds the first known program on a path.
    package init(path: String?) throws(LocalFailure) {
        for (program, beforeCommand) in Self.known {
            do throws(LocalFailure) {
                try ProgramStart.check([program], path: path)
            } catch {
                continue
            }
            (words, self.beforeCommand) = ([program], beforeCommand)
            return
        }
        throw LocalFailure(
            .failed,
            "No program that opens a terminal is installed. `baton help continue` lists the known ones."
        )
    }

    /// The command for a window in which another one runs.
    package func words(running command: [String]) -> [String] { words + beforeCommand + command }
}
