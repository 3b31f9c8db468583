import BatonCommand
import Foundation
import Glibc
import Support
import Testing

/// The lines that `baton setup` adds to start-up files, and its options.
@Suite struct `The lines of baton setup` {
    /// The programs, each with the lines that are added for it.
    private static func programs() throws -> [(program: StartupProgram, lines: [String])] {
        let shells = Shell.allCases.flatMap { shell in
            [[], ["--home", "/a b/c'd"], ["--account", "work"]].map { options in
                (program: StartupProgram.shell(shell), lines: [shell.startupLine(options: options)])
            }
        }
        let editors = try Editor.allCases.flatMap { editor in
            try ["/usr/local/share/baton/editors/vim", "/a b,c/d'e"].map { folder in
                (program: StartupProgram.editor(editor), lines: try editor.startupLines(folder))
            }
        }
        return shells + editors
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Draws the content of a file: pieces that begin, end, repeat or spoil what setup writes, and any bytes.
    private static func content(
        _ generator: inout SeededGenerator, _ pieces: [[UInt8]]
    ) -> [UInt8] {
        var content: [UInt8] = []
        for _ in 0..<generator.number(0...8) {
            if generator.chance(30) {
                content += (0..<generator.number(1...6)).map { _ in UInt8(generator.number(0...255)) }
            } else {
                let piece = generator.pick(pieces)
                content += generator.chance(20) ? piece.dropLast(generator.number(0...piece.count)) : piece
            }
        }
        return content
    }

    @Test(arguments: Seeds.first(200))
    func `taking the lines out again leaves the file as it was, byte by byte`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for (program, lines) in try Self.programs() {
            let text = StartupText(program)
            let added = text.adding(lines, to: nil)
            let marks = [nil, [], bytes("x")].map { text.adding([], to: $0) }
            let pieces =
                marks + [
                    added, bytes("\n"), bytes("\r\n"), bytes("export A=1\n"), bytes("# no line break"),
                    [0xff],
                ]
                + lines.map { bytes($0 + "\n") } + lines.map { bytes("# " + $0) }
            let old = Self.content(&generator, pieces)
            // Setup adds nothing if the lines are there.
            guard !text.isThere(in: old) else { continue }
            let new = text.adding(lines, to: old)
            #expect(text.isThere(in: new) && new.starts(with: old))
            #expect(
                text.removing(from: new) == .text(old), "\(program): \(String(decoding: new, as: UTF8.self))")
            // A person has written below the lines.
            let below = Self.content(&generator, [bytes("alias a=b\n"), bytes("fi"), bytes("\n")])
            let ends = old.isEmpty || old.last == UInt8(ascii: "\n")
            let rest = old + (ends || below.isEmpty ? [] : bytes("\n")) + below
            #expect(text.removing(from: new + below) == .text(rest), "\(program)")
        }
    }

    @Test func `a file that was created for the lines is deleted, unless something else is in it`() throws {
        for (program, lines) in try Self.programs() {
            let text = StartupText(program)
            let new = text.adding(lines, to: nil)
            #expect(text.removing(from: new) == .nothing)
            #expect(text.removing(from: new + bytes("a\n")) == .text(bytes("a\n")))
            #expect(text.removing(from: bytes("a\n") + new) == .text(bytes("a\n")))
            // A file that was empty stays.
            #expect(text.removing(from: text.adding(lines, to: [])) == .text([]))
        }
    }

    @Test func `lines that a person has changed, or typed without the comment, stay`() throws {
        for (program, lines) in try Self.programs() {
            let text = StartupText(program)
            let new = String(decoding: text.adding(lines, to: bytes("a\n")), as: UTF8.self)
            for other in [
                new.replacing(lines[0], with: lines[0] + " "), new.replacing("Added by", with: "added by"),
                String(new.dropLast(lines[lines.count - 1].count + 1)), lines.joined(separator: "\n") + "\n",
            ] {
                #expect(text.removing(from: bytes(other)) == .unchanged, "\(other)")
            }
            // An editor may leave out the line break at the end.
            #expect(text.removing(from: bytes(String(new.dropLast()))) == .text(bytes("a\n")), "\(new)")
        }
    }

    @Test(arguments: [
        #"eval "$(baton shell bash)""#, "eval $(baton shell bash)", "  eval \"`baton shell bash`\"",
        "source <(baton shell bash)", ". <(baton shell bash) # Baton", "baton shell bash | source",
        "command -v baton >/dev/null && eval \"$(baton shell bash)\"", #"eval "$(~/bin/baton shell bash)""#,
        #"eval "$(baton --home /x shell bash)""#, #"eval "$(baton shell --config '/a #b' bash)""#,
        #"eval "$("$HOME/.local/bin/baton" shell 'bash')""#, #"eval "$(baton shell "${SHELL##*/}")""#,
        "if true; then eval \"$(baton shell bash)\"; fi", "eval \"$(baton shell bash)\"\r",
    ])
    func `a line that a person typed in another form counts as the line`(line: String) {
        #expect(StartupText(.shell(.bash)).isThere(in: bytes("a\n\(line)\nb\n")), "\(line)")
    }

    @Test(arguments: [
        "", #"# eval "$(baton shell bash)""#, #"true # eval "$(baton shell bash)""#,
        #"eval "$(baton shell zsh)""#,
        "baton shell --remove bash", "PS1='$(baton shell --segment)'", "echo baton shell bash", "baton list",
        "cd ~/src/baton; ls shell bash", "source <(baton completions bash)",
    ])
    func `another line does not count as the line`(line: String) {
        let isOther = line.contains("ls shell")
        #expect(StartupText(.shell(.bash)).isThere(in: bytes("a\n\(line)\n")) == isOther, "\(line)")
    }

    @Test func `lines for an editor count in each form in which people load plugins`() {
        for line in ["set rtp+=~/src/baton/Editors/vim", "Plug '~/baton/Editors/vim'", "packadd baton"] {
            #expect(StartupText(.editor(.vim)).isThere(in: bytes(line)), "\(line)")
            #expect(!StartupText(.editor(.vim)).isThere(in: bytes("\" " + line)), "\(line)")
        }
        for line in ["(require 'baton)", "(use-package baton :load-path \"x\")", "(baton-mode 1)"] {
            #expect(StartupText(.editor(.emacs)).isThere(in: bytes(line)), "\(line)")
            #expect(!StartupText(.editor(.emacs)).isThere(in: bytes(";; " + line)), "\(line)")
        }
    }

    @Test func `the lines are those that the help and baton editor show`() throws {
        let help = Typed(["help", "shell"]).output
        for shell in Shell.allCases { #expect(help.contains(" \(shell.startupLine())\n"), "\(shell)") }
        for editor in Editor.allCases {
            let printed = Typed(["editor", editor.rawValue]).output
            #expect(try editor.startupLines(editor.pluginFolder()).joined(separator: "\n") + "\n" == printed)
        }
    }

    @Test func `start-up files are where the variables say`() {
        func file(_ shell: Shell, _ variables: [String: String]) -> String? {
            shell.startupFile { variables[$0] }
        }
        #expect(file(.bash, ["HOME": "/h", "ZDOTDIR": "/z", "XDG_CONFIG_HOME": "/c"]) == "/h/.bashrc")
        #expect(file(.zsh, ["HOME": "/h", "ZDOTDIR": "/z"]) == "/z/.zshrc")
        #expect(file(.zsh, ["HOME": "/h", "ZDOTDIR": ""]) == "/h/.zshrc")
        #expect(file(.fish, ["HOME": "/h", "XDG_CONFIG_HOME": "/c"]) == "/c/fish/config.fish")
        #expect(file(.fish, ["HOME": "/h", "XDG_CONFIG_HOME": "c"]) == "/h/.config/fish/config.fish")
        #expect(file(.bash, [:]) == nil)
    }

    @Test(arguments: [
        (["--new", "a", "--join", "b"], "--new and --join"),
        (["--at", "x:1"], "--at works with --join only"),
        (["--undo", "--new", "a"], "--undo changes no account"),
        (["--skip", "account,x"], "Unknown part: x."),
        (["--skip", "account", "--new", "a"], "--skip account can't"), (["--json"], "Leave out --json"),
        (["now"], "Unexpected argument"),
    ])
    func `contradicting options are refused`(words: [String], message: String) {
        let typed = Typed(["setup"] + words)
        #expect(typed.status == 2 && typed.errors.contains(message) && typed.output.isEmpty, "\(typed)")
    }
}

/// Replacing a start-up file.
@Suite struct `A start-up file` {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/rc"
    }

    private func state(_ path: String) throws -> stat {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        return status
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test(arguments: [0o600, 0o644, 0o4755] as [mode_t])
    func `replacing keeps the mode and the owner`(mode: mode_t) throws {
        try File.write("old", to: path)
        if getuid() == 0 { try #require(chown(path, 1234, 2345) == 0) }
        try #require(chmod(path, mode) == 0)
        let before = try state(path)
        try StartupFile(reading: path).replace(with: Array("new".utf8))
        let after = try state(path)
        #expect(File.read(path) == "new" && after.st_mode == before.st_mode)
        #expect(
            after.st_uid == before.st_uid && after.st_gid == before.st_gid && after.st_ino != before.st_ino)
        #expect(try names == ["rc"])
    }

    @Test func `a link is kept, and the file that it leads to is replaced or emptied`() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/dotfiles", withIntermediateDirectories: false)
        try File.write("old", to: folder.path + "/dotfiles/rc")
        try #require(symlink("dotfiles/rc", path) == 0)
        try StartupFile(reading: path).replace(with: Array("new".utf8))
        #expect(try state(path).st_mode & S_IFMT == S_IFLNK)
        #expect(File.read(folder.path + "/dotfiles/rc") == "new")
        try StartupFile(reading: path).delete()
        #expect(try state(path).st_mode & S_IFMT == S_IFLNK)
        #expect(File.read(folder.path + "/dotfiles/rc")?.isEmpty == true)
    }

    @Test func `a file in a folder that does not exist is created with the folder, and deleted`() throws {
        let path = folder.path + "/config/fish/config.fish"
        let file = try StartupFile(reading: path)
        #expect(file.content == nil)
        try file.replace(with: Array("new".utf8))
        #expect(File.read(path) == "new")
        try StartupFile(reading: path).delete()
        #expect(access(path, F_OK) != 0)
    }

    @Test func `a file that another program has changed meanwhile is left as it is`() throws {
        for old in [nil, "old"] {
            if let old { try File.write(old, to: path) }
            let file = try StartupFile(reading: path)
            try File.write("changed by another", to: path)
            #expect(throws: (any Error).self) { try file.replace(with: Array("new".utf8)) }
            #expect(File.read(path) == "changed by another")
            if old != nil { #expect(throws: (any Error).self) { try file.delete() } }
            #expect(try names == ["rc"])
            unlink(path)
        }
    }

    @Test func `a file that a killed process has left is replaced`() throws {
        try File.write("old", to: path)
        try File.write("part", to: folder.path + "/.rc.baton-setup")
        try StartupFile(reading: path).replace(with: Array("new".utf8))
        #expect(try names == ["rc"] && File.read(path) == "new")
    }

    @Test func `a read-only file, one with several names and what is no file are refused`() throws {
        try File.write("old", to: path)
        try #require(chmod(path, 0o444) == 0)
        #expect(throws: (any Error).self) { try StartupFile(reading: path).replace(with: []) }
        try #require(chmod(path, 0o644) == 0 && link(path, path + "2") == 0)
        #expect(throws: (any Error).self) { try StartupFile(reading: path).replace(with: []) }
        #expect(File.read(path) == "old")
        try #require(symlink("nowhere", path + "3") == 0 && mkfifo(path + "4", 0o600) == 0)
        for name in [path + "3", path + "4", folder.path] {
            #expect(throws: (any Error).self, "\(name)") { try StartupFile(reading: name) }
        }
        #expect(try names == ["rc", "rc2", "rc3", "rc4"])
    }
}
