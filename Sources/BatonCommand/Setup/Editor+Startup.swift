package import BatonCore
import Glibc

/// The start-up files of editors, and the lines for them.
extension Editor {
    /// The program by which the editor is started.
    package var program: String {
        switch self {
        case .vim: "vim"
        case .neovim: "nvim"
        case .emacs: "emacs"
        }
    }

    /// The lines that load the plugin from a folder, as `baton editor` prints them.
    package func startupLines(_ folder: String) throws(LocalFailure) -> [String] {
        try settings(folder).text.split(separator: "\n").map(String.init)
    }

    /// The file that the editor reads; nil without a home folder.
    ///
    /// If several are possible, it is the first one that exists.
    package func startupFile(environment: (String) -> String?) -> String? {
        let files = readFiles(environment: environment)
        return files.first { LocalPath.kind($0) == .file } ?? usualFile(of: files)
    }

    /// The files that the editor may read, beginning with that which it prefers.
    package func readFiles(environment: (String) -> String?) -> [String] {
        guard let home = StartupFolder.named("HOME", environment),
            let configuration = StartupFolder.configuration(environment)
        else { return [] }
        switch self {
        case .vim: return ["\(home)/.vimrc", "\(home)/.vim/vimrc"]
        case .neovim: return ["\(configuration)/nvim/init.lua", "\(configuration)/nvim/init.vim"]
        case .emacs:
            return [
                "\(home)/.emacs.el", "\(home)/.emacs", "\(home)/.emacs.d/init.el",
                "\(configuration)/emacs/init.el",
            ]
        }
    }

    /// The file to create if there is none.
    private func usualFile(of files: [String]) -> String? {
        guard files.count > 1 else { return nil }
        switch self {
        case .vim: return files[0]
        case .neovim: return files[1]
        case .emacs:
            let isOther =
                LocalPath.kind(LocalPath.folder(of: files[2])) == nil
                && LocalPath.kind(LocalPath.folder(of: files[3])) == .folder
            return isOther ? files[3] : files[2]
        }
    }

    /// Whether `startupLines` returns these lines, for some folder.
    func areOwnLines(_ lines: [String]) -> Bool {
        guard
            case .success(let usual) = Result(catching: { () throws(LocalFailure) in try startupLines("/") }),
            lines.count == usual.count, lines[0] == usual[0]
        else { return false }
        switch self {
        case .vim, .neovim:
            return lines[1].hasPrefix("set runtimepath+=")
                || lines[1].hasPrefix("let &runtimepath .= ',' . escape('")
        case .emacs: return lines[1].hasPrefix("(add-to-list 'load-path \"") && lines[2] == usual[2]
        }
    }

    /// Whether a line loads the plugin, in any form that a person may have typed.
    func isConnected(by line: String) -> Bool {
        let code = line.drop(while: \.isWhitespace)
        switch self {
        case .vim, .neovim:
            guard !code.hasPrefix("\""), !code.hasPrefix("--") else { return false }
            return ["runtimepath", "rtp", "packadd", "Plug"].contains(where: code.contains)
                && ["baton", "Editors/vim"].contains(where: code.contains)
        case .emacs:
            return !code.hasPrefix(";")
                && ["(require 'baton", "(use-package baton", "(baton-mode"].contains(where: code.contains)
        }
    }
}
