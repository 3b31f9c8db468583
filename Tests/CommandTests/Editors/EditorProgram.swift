import Foundation
import Support
import Testing

/// An editor that the tests drive in a terminal, with the plugin of this repository.
enum EditorProgram: String, CaseIterable {
    case vim, neovim, emacs

    var command: String {
        switch self {
        case .vim: "vim"
        case .neovim: "nvim"
        case .emacs: "emacs -nw"
        }
    }

    /// The name by which `baton continue` tells of it.
    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// The editor's own file, below the home folder.
    private var file: String {
        switch self {
        case .vim: ".vimrc"
        case .neovim: ".config/nvim/init.vim"
        case .emacs: ".emacs.d/init.el"
        }
    }

    /// Writes the file as a person would: with the lines that the command prints.
    func configure(_ machine: Machine, unsaved: String? = nil) throws {
        let path = (machine.variables["HOME"] ?? "") + "/" + file
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        let lines = try machine.must("editor", rawValue)
        let usual =
            self == .emacs
            ? "(setq inhibit-startup-screen t make-backup-files nil auto-save-default nil)\n"
            : "set nocompatible shortmess+=I noswapfile nomore\n"
        let how = unsaved.map {
            self == .emacs ? "(setq baton-unsaved '\($0))\n" : "let g:baton_unsaved = '\($0)'\n"
        }
        try File.write(usual + (how ?? "") + lines, to: path)
    }

    /// The keys that put a text before everything else in the file, and leave it unsaved.
    func keysToInsert(_ text: String) -> [String] {
        self == .emacs ? ["M-<", text] : ["Escape", "g", "g", "0", "i", text, "Escape"]
    }

    /// The keys that run a command of the plugin, such as `apply`.
    func keysToRun(_ command: String) -> [String] {
        self == .emacs
            ? ["M-x", "baton-\(command)", "Enter"] : ["Escape", ":Baton \(command)", "Enter"]
    }

    /// The keys that leave the editor without saving.
    var keysToLeave: [String] {
        self == .emacs ? ["M-x", "kill-emacs", "Enter"] : ["Escape", ":qa!", "Enter"]
    }

    /// The keys of a question that is not answered yet.
    var keysToAsk: [String] { self == .emacs ? ["M-x"] : ["Escape", ":"] }
}
