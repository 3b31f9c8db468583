import BatonClient
package import BatonCore
import Glibc

/// The editors for which Baton has a plugin.
package enum Editor: String, CaseIterable, Sendable {
    case vim, neovim, emacs

    /// Reads the name of an editor, as the person typed it; throws if Baton has no plugin for it.
    package init(typed name: String) throws(LocalFailure) {
        guard let editor = Editor(rawValue: name) else {
            let names = Editor.allCases.map(\.rawValue).joined(separator: ", ")
            throw LocalFailure(.usage, "\(name) is not one of the editors: \(names).")
        }
        self = editor
    }

    /// The editor's name in messages to a person.
    package var title: String {
        switch self {
        case .vim: "Vim"
        case .neovim: "Neovim"
        case .emacs: "Emacs"
        }
    }

    /// The name of the app that the node knows for this editor.
    package var app: String { "org.baton.\(rawValue)" }

    /// Whether one instance of the editor opens files of all folders.
    ///
    /// Most people use Emacs in this way.
    var takesAllFolders: Bool { self == .emacs }

    /// Returns the lines that a person adds to the editor's settings to load the plugin from a folder.
    ///
    /// If the folder does not exist any more, the lines have no effect.
    package func settings(_ folder: String) throws(LocalFailure) -> VisibleText {
        guard ActivityValues.problem(with: folder) == nil else {
            throw LocalFailure(
                .failed,
                "The folder of the plugin has a name that no settings can have: \(VisibleText(folder).text)")
        }
        switch self {
        case .vim, .neovim:
            // In a Vim string, a quotation mark is written twice. In `runtimepath`, a comma separates folders.
            let quoted = folder.replacing("'", with: "''")
            let line =
                ShellWord.quoted(folder) == folder && !folder.contains(",")
                ? "set runtimepath+=\(folder)"
                : "let &runtimepath .= ',' . escape('\(quoted)', ',\\')"
            return VisibleText(
                harmless: """
                    " Baton: \(title) tells your other machines what you edit; see :help baton
                    \(line)
                    """)
        case .emacs:
            let quoted = folder.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return VisibleText(
                harmless: """
                    ;; Baton: Emacs tells your other machines what you edit; see M-x describe-function baton-mode
                    (add-to-list 'load-path "\(quoted)")
                    (when (require 'baton nil t) (baton-mode 1))
                    """)
        }
    }

    /// Finds the folder of the plugin.
    ///
    /// The plugin is either installed near this program, or in the sources from which this program was built.
    package func pluginFolder() throws(LocalFailure) -> String {
        let name = self == .emacs ? "emacs" : "vim"
        var folder = OwnProgram.path.map(LocalPath.folder(of:)) ?? "/"
        let own = folder
        var candidates = ["\(LocalPath.folder(of: own))/share/baton/editors/\(name)"]
        while folder != "/" {
            candidates.append("\(folder)/Editors/\(name)")
            folder = LocalPath.folder(of: folder)
        }
        if let found = candidates.first(where: { LocalPath.kind($0) == .folder }) { return found }
        throw LocalFailure(
            .notFound,
            "The plugin for \(title) is not installed beside this program.\n"
                + "`make install` installs it; in the sources of Baton it is in the folder Editors/\(name).")
    }
}
