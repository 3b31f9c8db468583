import Foundation
import Support
import Testing

/// Commands that shells run, and as much of them as another machine is told.
@Suite(
    .enabled(
        if: TerminalShell.isThere,
        "tmux is not on this machine: `Scripts/install-dependencies test` installs it")
)
struct `Commands that shells report` {
    private let account: Account
    private let folder: String
    private static let secret = "geheimnis17"

    /// The programs that the commands start; each waits until it is interrupted.
    private static let programs = [
        "docker", "cmd", "redis-cli", "smbclient", "zip", "7z", "ldapsearch", "openssl", "mongo",
    ]

    init() throws {
        account = try Account("laptop", "desktop")
        folder = (account[0].home as NSString).deletingLastPathComponent
        for inner in ["/home/work", "/home/other", "/bin"] {
            try FileManager.default.createDirectory(
                atPath: folder + inner, withIntermediateDirectories: true)
        }
        for program in Self.programs {
            try File.write("#!/bin/sh\nsleep 600\n:\n", to: "\(folder)/bin/\(program)")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: "\(folder)/bin/\(program)")
        }
        try File.write("{shell: {commandAfter: 0.2}}", to: folder + "/config.json5")
        for machine in account.machines { machine.variables["HOME"] = folder + "/home" }
        laptop.variables["BATON_CONFIG"] = folder + "/config.json5"
        laptop.variables["PATH"] = "\(folder)/bin:\(Products.folder):/usr/bin:/bin"
    }

    private var laptop: Machine { account[0] }
    private var desktop: Machine { account[1] }

    private func shell(_ program: TerminalShell.Program) throws -> TerminalShell {
        let line =
            program == .fish ? "baton shell fish | source" : "eval \"$(baton shell \(program.rawValue))\""
        let shell = try TerminalShell(on: laptop, program: program, settings: line)
        try shell.run("cd ~/work && true")
        try waitFor("work")
        return shell
    }

    /// Waits until the desktop knows exactly one activity, which has this title, and returns it.
    @discardableResult private func waitFor(_ title: String) throws -> JSONValue {
        try eventual("“\(title)”: \((try? desktop.type(["baton", "list"]).output) ?? "")") {
            let all = try desktop.list()
            return all.count == 1 && all[0]["title"] == .string(title) ? all[0] : nil
        }
    }

    /// The files of a home that have these bytes, without those that a restart of the machine removes.
    private func files(of machine: Machine, with text: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: machine.home)?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            let path = machine.home + "/" + name
            guard !name.hasPrefix("run/"),
                (try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType)
                    == .typeRegular
            else { return false }
            return FileManager.default.contents(atPath: path)?.range(of: Data(text.utf8)) != nil
        }
    }

    @Test(arguments: TerminalShell.Program.allCases)
    func `no part of a password in a command reaches another machine or a disk`(
        program: TerminalShell.Program
    ) throws {
        let secret = Self.secret
        let all = [
            ("docker login -u me -p \(secret)", "docker login …"), ("MYSQL_PWD=\(secret) cmd", "cmd …"),
            ("redis-cli -a \(secret)", "redis-cli …"), ("smbclient -U u%\(secret) //s/x", "smbclient …"),
            ("zip -P \(secret) a.zip b", "zip …"), ("7z a -p\(secret) a.7z b", "7z a …"),
            ("ldapsearch -w \(secret)", "ldapsearch …"), ("openssl enc -k \(secret)", "openssl enc …"),
            ("mongo -p \(secret)", "mongo …"), ("zip '\(secret)'", "zip …"), ("cmd <<<\(secret)", "cmd …"),
            ("DB_PASS=\(secret); cmd", "cmd"), ("echo \(secret) | docker login", "docker login …"),
        ]
        let shell = try shell(program)
        // Fish has neither assignments that last nor here-strings.
        for (line, text) in all where program != .fish || !line.contains("<<<") && !line.contains(";") {
            try shell.type(line)
            let title = "\(text) — work"
            let told = try waitFor(title)
            let isWhole = !text.hasSuffix("…")
            #expect(told["info"]["command"] == (isWhole ? .string(text) : .null), "\(line)")
            #expect(told["info"]["shortened"] == (isWhole ? .null : .string(text)), "\(line)")
            try eventually("“\(text)” in a file, found by the same search") {
                !files(of: desktop, with: text).isEmpty
            }
            try shell.press(["C-c"])
            try waitFor("work")
        }
        #expect(files(of: desktop, with: secret) == [])
        #expect(files(of: laptop, with: secret) == [])
    }

    @Test(arguments: TerminalShell.Program.allCases)
    func `a command is reported with the folder in which it runs`(program: TerminalShell.Program) throws {
        let shell = try shell(program)
        try shell.type("cd ~/other && sleep 600")
        let told = try waitFor("sleep 600 — other")
        #expect(told["info"]["folder"] == .string("~/other"))
        #expect(told["info"]["command"] == .string("sleep 600"))
        try shell.press(["C-c"])
        try waitFor("other")
        // The folder becomes private while the line runs.
        try shell.type("mkdir -p ~/.ssh; cd ~/.ssh && sleep 600")
        try eventually("nothing of a private folder") { try desktop.list().isEmpty }
        try shell.press(["C-c"])
        try shell.run("cd ~/work && true")
        try waitFor("work")
        // A link leads there under another name.
        try shell.run("ln -s ~/.ssh ~/keys && cd ~/keys")
        try eventually("nothing behind a link") { try desktop.list().isEmpty }
    }

    @Test(arguments: TerminalShell.Program.allCases)
    func `each command of a sequence is reported while it runs`(program: TerminalShell.Program) throws {
        let shell = try shell(program)
        try shell.type("head -n 1; cat")
        try waitFor("head … — work")
        // The first command ends with a line, and the shell goes on with the second.
        try shell.press(["Enter"])
        try waitFor("cat — work")
        try shell.press(["C-c"])
        try waitFor("work")
    }

    @Test(arguments: [TerminalShell.Program.bash, .zsh])
    func `each command of a subshell is reported while it runs`(program: TerminalShell.Program) throws {
        let shell = try shell(program)
        // A line that begins with a subshell tells bash nothing, so that nothing is told.
        try shell.type("true; (head -n 1; cat; true)")
        try waitFor("head … — work")
        try shell.press(["Enter"])
        try waitFor("cat — work")
    }

    @Test func `a program that the settings name is reported with all its words`() throws {
        try File.write(
            "{shell: {commandAfter: 0.2, wholeCommands: ['zip']}}", to: folder + "/config.json5")
        let shell = try shell(.bash)
        try shell.type("zip -r a.zip b")
        let told = try waitFor("zip -r a.zip b — work")
        #expect(told["info"]["command"] == .string("zip -r a.zip b"))
    }

    @Test func `baton continue says that only a part of the command is reported`() throws {
        let shell = try shell(.bash)
        try shell.type("docker login -p \(Self.secret)")
        try waitFor("docker login … — work")
        let answer = try desktop.must("continue", "org.baton.folder")
        #expect(
            answer.contains("“laptop” shares only this part of the command: docker login …"), "\(answer)"
        )
        #expect(answer.contains("cd \(folder)/home/work"), "\(answer)")
    }
}
