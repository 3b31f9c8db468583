package import BatonCore

/// The person's editor, and its way to open a file at a line.
package struct EditorCommand: Equatable, Sendable {
    /// The program and its own arguments.
    package let words: [String]

    /// The editor of `VISUAL`, else of `EDITOR`, else vi.
    package init(environment: (String) -> String?) throws(LocalFailure) {
        for variable in ["VISUAL", "EDITOR"] {
            guard let text = environment(variable), text.contains(where: { !$0.isWhitespace }) else {
                continue
            }
            words = try WordSplitting(text, of: variable, home: environment("HOME")).words
            return
        }
        words = ["vi"]
    }

    /// The name of the program.
    private var name: String { words.first.map(LocalPath.name(of:)) ?? "" }

    /// Whether a command starts this editor, and it may have a plugin of Baton.
    package func isStarted(by command: [String]) -> Bool {
        command.starts(with: words) && ["vi", "vim", "nvim", "gvim", "view", "emacs"].contains(name)
    }

    /// Returns the command that opens an absolute path, at a line and column if the editor is known to accept one.
    package func opening(_ opening: FileOpening) -> [String] {
        let (path, column) = (opening.path, opening.column)
        guard let line = opening.line else { return words + [path] }
        let place = column.map { "\(line):\($0)" } ?? "\(line)"
        switch name {
        case "vi", "vim", "nvim", "gvim", "view", "nvi", "vis", "elvis", "joe", "jmacs", "jed", "ne", "mg",
            "mcedit", "pico", "less", "more":
            return words + ["+\(line)", path]
        case "nano": return words + ["+\(line)" + (column.map { ",\($0)" } ?? ""), path]
        case "emacs", "emacsclient", "micro", "kak", "gedit", "gnome-text-editor", "xed", "pluma":
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
