package import BatonCore

/// The person's editor, with the arguments by which it opens a file at a line.
///
/// Another machine named the file. So the editor must not start programs that the settings of the file's repository
/// name. Emacs runs git for each file that it visits, and is told not to do so for this file.
package struct EditorCommand: Equatable, Sendable {
    /// The editor's program, followed by the arguments that the person set.
    package let words: [String]
    /// Whether `emacsclient` starts an Emacs if none is running.
    private let startsServer: Bool

    /// Reads the editor from the variable `VISUAL`, or else from `EDITOR`.
    ///
    /// If neither is set, the editor is vi.
    package init(environment: (String) -> String?) throws(LocalFailure) {
        var words = ["vi"]
        for variable in ["VISUAL", "EDITOR"] {
            guard let text = environment(variable), text.contains(where: { !$0.isWhitespace }) else {
                continue
            }
            words = try WordSplitting(text, of: variable, home: environment("HOME")).words
            break
        }
        self.words = words
        startsServer = (EmacsVisit.alternative(of: words) ?? environment("ALTERNATE_EDITOR")) == ""
    }

    /// The last component of the program's path.
    private var name: String { words.first.map(LocalPath.name(of:)) ?? "" }

    /// Whether the editor is Emacs.
    ///
    /// The program may be named after a version or a variant, such as `emacs-nox`.
    private var isEmacs: Bool { name == "emacs" || name.hasPrefix("emacs-") }

    /// Whether the editor is `emacsclient`, which asks a running Emacs to open a file.
    private var isEmacsClient: Bool { name.hasPrefix("emacsclient") }

    /// Whether a command starts this editor, and Baton may have a plugin for the editor.
    package func isStarted(by command: [String]) -> Bool {
        command.starts(with: words) && (isEmacs || ["vi", "vim", "nvim", "gvim", "view"].contains(name))
    }

    /// Returns the command that opens a file.
    ///
    /// If the editor is known to accept a line and a column, the command names them.
    package func opening(_ opening: FileOpening) -> [String] {
        if isEmacsClient { return words + EmacsVisit.request(for: opening, startsServer: startsServer) }
        if isEmacs { return words + EmacsVisit.arguments(for: opening) }
        let (path, column) = (opening.path, opening.column)
        guard let line = opening.line else { return words + [path] }
        let place = column.map { "\(line):\($0)" } ?? "\(line)"
        switch name {
        case "vi", "vim", "nvim", "gvim", "view", "nvi", "vis", "elvis", "joe", "jmacs", "jed", "ne", "mg",
            "mcedit", "pico", "less", "more":
            return words + ["+\(line)", path]
        case "nano": return words + ["+\(line)" + (column.map { ",\($0)" } ?? ""), path]
        case "micro", "kak", "gedit", "gnome-text-editor", "xed", "pluma":
            return words + ["+\(place)", path]
        case "kate", "kwrite":
            return words + ["--line", "\(line)"] + (column.map { ["--column", "\($0)"] } ?? []) + [path]
        case "code", "codium", "code-insiders", "vscodium", "cursor":
            return words + ["--goto", "\(path):\(place)"]
        case "hx", "helix", "subl", "zed", "zeditor": return words + ["\(path):\(place)"]
        default: return words + [path]
        }
    }
}
