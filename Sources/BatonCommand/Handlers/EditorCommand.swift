package import BatonCore

/// The person's editor, and its way to open a file at a line.
///
/// Another machine named the file, so an editor must not start programs that the file's repository names. Emacs runs
/// git for each file that it visits, so it is told not to do so for this file.
package struct EditorCommand: Equatable, Sendable {
    /// The program and its own arguments.
    package let words: [String]
    /// Whether `emacsclient` starts an Emacs if none runs.
    private let startsServer: Bool

    /// The editor of `VISUAL`, else of `EDITOR`, else vi.
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

    /// The name of the program.
    private var name: String { words.first.map(LocalPath.name(of:)) ?? "" }

    /// Whether the editor is Emacs, under one of the names that it is installed by.
    private var isEmacs: Bool { name == "emacs" || name.hasPrefix("emacs-") }

    /// Whether the editor is the program that has a running Emacs open a file.
    private var isEmacsClient: Bool { name.hasPrefix("emacsclient") }

    /// Whether a command starts this editor, and the editor may have a plugin of Baton.
    package func isStarted(by command: [String]) -> Bool {
        command.starts(with: words) && (isEmacs || ["vi", "vim", "nvim", "gvim", "view"].contains(name))
    }

    /// Returns the command that opens an absolute path, at a line and column if the editor is known to accept one.
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
