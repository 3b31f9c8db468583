package import BatonCore

/// A program that opens a window with a terminal.
package struct TerminalWindow {
    /// The command that opens a window with the person's shell.
    package let words: [String]
    /// The arguments that precede a command that runs in the window.
    private let beforeCommand: [String]

    /// The known programs, each with the arguments that precede a command.
    ///
    /// The first program is the one that the person has chosen for the desktop.
    private static let known: [(program: String, beforeCommand: [String])] = [
        ("xdg-terminal-exec", []), ("x-terminal-emulator", ["-e"]), ("foot", []), ("kitty", []),
        ("alacritty", ["-e"]), ("konsole", ["-e"]), ("gnome-terminal", ["--"]), ("xterm", ["-e"]),
    ]

    /// Chooses the first known program that is found in `PATH`.
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

    /// The command that opens a window in which the given command runs.
    package func words(running command: [String]) -> [String] { words + beforeCommand + command }
}
