import Foundation
import Support
import Testing

/// A machine on which Baton is new, with a home folder, programs and a service manager that a script plays.
struct NewMachine {
    let folder: TemporaryFolder
    let machine: Machine

    /// Creates a machine with these programs, besides Baton's own.
    init(_ name: String = "laptop", programs: [String] = ["bash", "zsh", "vim", "firefox"]) throws {
        folder = try TemporaryFolder()
        machine = Machine(name, in: folder)
        for part in ["bin", "runtime"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/" + part, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        for program in programs { try addProgram(program, "exit 0") }
        try addProgram("systemctl", Self.manager.replacing("FOLDER", with: folder.path))
        machine.variables = [
            // Everything is in the home folder, as it is for a person who sets no variables.
            "BATON_HOME": "", "SHELL": "/bin/bash", "PATH": "\(folder.path)/bin:\(Products.folder)",
        ]
    }

    private func addProgram(_ name: String, _ script: String) throws {
        try File.writeProgram("#!/bin/sh\n\(script)\n", to: "\(folder.path)/bin/\(name)")
    }

    /// A service manager whose units are running once they were started.
    private static let manager = """
        echo "$*" >>FOLDER/asked
        state=inactive
        [ -e FOLDER/started ] && state=active
        enabled=disabled
        [ -e FOLDER/enabled ] && enabled=enabled
        case "$*" in
        *Version*) echo Version=252 ;;
        *show*.socket) echo ActiveState=$state ;;
        *show*) printf "ActiveState=$state\\nUnitFileState=$enabled\\nResult=success\\nExecMainStatus=0\\nMainPID=4711\\n" ;;
        *restart*) : >FOLDER/started ;;
        *disable*) /bin/rm -f FOLDER/started FOLDER/enabled ;;
        *enable*) : >FOLDER/enabled ;;
        *stop*) /bin/rm -f FOLDER/started ;;
        *start*.service) : >FOLDER/started ;;
        esac
        """

    /// A path in the home folder.
    func path(_ name: String) -> String { folder.path + "/" + name }

    func write(_ text: String, to name: String) throws {
        let path = path(name)
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try File.write(text, to: path)
    }

    func read(_ name: String) -> String? { File.read(path(name)) }

    /// Whether the machine has an account.
    var hasAccount: Bool {
        get throws { try machine.baton("status").status != 4 }
    }

    /// The names of the units that are installed.
    var units: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path(".config/systemd/user")).sorted()) ?? []
    }

    /// All files below the home folder but those of the test and the data, with their contents.
    func files() throws -> [String: String] {
        var files: [String: String] = [:]
        let own = ["bin/", "runtime", ".written-by", "asked", "started", "enabled", ".local/"]
        let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
        for name in names where !own.contains(where: name.hasPrefix) {
            let kind =
                try FileManager.default.attributesOfItem(atPath: path(name))[.type] as? FileAttributeType
            if kind != .typeDirectory { files[name] = read(name) ?? "" }
        }
        return files
    }

    /// Runs `baton setup` without a terminal.
    func setUp(_ words: String...) throws -> Answer {
        try machine.type(["baton", "setup"] + Self.root + words)
    }

    /// The option by which root sets up itself, if the test runs as root.
    static var root: [String] { geteuid() == 0 ? ["--as-root"] : [] }
}

/// A run of `baton setup` at a terminal.
final class GuidedSetup {
    private let machine: Machine
    private let terminal: PseudoTerminal
    let process: ChildProcess
    /// The number of characters of the output that belong to earlier questions.
    private var seen = 0

    init(on new: NewMachine, _ words: String...) throws {
        machine = new.machine
        terminal = try PseudoTerminal()
        try terminal.resize(width: 400, height: 200)
        process = try machine.begin(
            ["baton", "setup"] + NewMachine.root + words, terminal: terminal, showsOnTerminal: true)
    }

    /// Everything that was shown so far.
    var output: String { terminal.output.replacing("\r\n", with: "\n") }

    /// The text after the last question that was answered.
    private var news: Substring { output.dropFirst(seen) }

    /// Waits for a question.
    func waitForQuestion(_ question: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try eventually("“\(question)” in \(news)\(process.errors)") {
            news.contains(question) || !process.isRunning
        }
        try #require(news.contains(question), "\(output)\(process.errors)", sourceLocation: sourceLocation)
    }

    /// Waits for a question, and answers it.
    func answer(
        _ question: String, _ answer: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try waitForQuestion(question, sourceLocation: sourceLocation)
        seen = output.count
        terminal.type(answer)
    }

    /// Repeats the recovery code that is shown.
    func repeatCode() throws {
        try waitForQuestion("Type the 16 words")
        let words = output.split(separator: "\n").filter { $0.hasPrefix("  ") }
            .flatMap { $0.split(separator: " ") }.filter { $0.first?.isLetter == true }
        try #require(words.count == 16, "\(output)")
        try answer("Type the 16 words", words.joined(separator: " "))
    }

    /// Waits for the end, and returns the exit status.
    func end() throws -> Int32 { try process.wait() }

    /// Ends the input.
    func endInput() { terminal.end() }
}
