import Foundation
import Support
import Testing

/// The app is linked with `--gc-sections`, and nothing in it refers to its intents.
@Suite struct `An app with intents` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var variables: [String: String] {
        ["HOME": folder.path, "BATON_HOME": folder.path + "/baton", "PATH": "/usr/bin:/bin", "TERM": "dumb"]
    }

    /// The output of the app, and how it ended.
    private struct Outcome {
        let status: ChildProcess.Ending
        let output: String
        let errors: String
    }

    /// The app as it was built.
    private let app = Products.folder + "/IntentApp"

    /// Runs the app; its standard input is empty, so nobody can be asked.
    private func run(_ words: String...) throws -> Outcome { try run([app] + words) }

    /// Runs a command with some variables in addition.
    private func run(_ words: [String], with more: [String: String] = [:]) throws -> Outcome {
        let app = try begin(words, with: more)
        let status = try app.wait()
        return Outcome(status: status, output: app.output, errors: app.errors)
    }

    private func begin(
        _ words: [String], with more: [String: String] = [:], hasInput: Bool = false
    ) throws -> ChildProcess {
        try ChildProcess(
            words, environment: variables.merging(more) { $1 },
            files: "\(folder.path)/\(UUID().uuidString)", hasInput: hasInput)
    }

    /// Returns the path of the manifest of an app.
    private func manifest(of app: String = "org.example.greeter") -> String {
        "\(folder.path)/baton/intents/\(app).json"
    }

    /// Copies the app to a place; an app that is there already is replaced as an installer does it.
    private func install(_ path: String) throws {
        let part = path + ".part"
        try FileManager.default.copyItem(atPath: app, toPath: part)
        // Package managers keep the time at which the file was built.
        let times = [timeval(tv_sec: 1_000_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000_000, tv_usec: 0)]
        try File.awaitRunnable(part)
        guard utimes(part, times) == 0, rename(part, path) == 0 else { throw SystemError("install \(path)") }
    }

    @Test func `starts as always without the argument`() throws {
        #expect(try run().output == "started\n")
        #expect(try run("other").output == "started\n")
    }

    @Test func `lists its intents without starting, and without having registered them`() throws {
        let outcome = try run("intents", "list")
        #expect(outcome.status == 0)
        #expect(!outcome.output.contains("started"))
        for name in ["Crash", "Greet", "Nothing"] { #expect(outcome.output.contains(name)) }
    }

    @Test func `prepares itself, and performs an intent of the main actor`() throws {
        let outcome = try run("intents", "run", "Greet", "--name", "Ann")
        #expect(outcome.errors == "")
        #expect(outcome.output == "Hello, Ann\n")
        #expect(outcome.status == 0)
    }

    @Test func `names a missing value where nobody can be asked`() throws {
        let outcome = try run("intents", "run", "Greet")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("Add --name VALUE."))
        #expect(outcome.output == "")
    }

    @Test func `asks for a missing value in a terminal`() throws {
        // The three standard streams of the app are a terminal of `script`, which passes its own input on.
        let terminal = try ChildProcess(
            ["script", "-qec", "\(Products.folder)/IntentApp intents run Greet", "/dev/null"],
            environment: variables, files: folder.path + "/terminal", hasInput: true)
        try eventually("a question: \(terminal.output)") { terminal.output.contains("Name?") }
        terminal.write(Array("Ann\n".utf8))
        #expect(try terminal.wait() == 0)
        #expect(terminal.output.contains("Hello, Ann"))
    }

    @Test func `ends by a signal if an intent crashes, and prints nothing before`() throws {
        let outcome = try run("intents", "run", "Crash")
        #expect(outcome.status > 128)
        #expect(outcome.output == "")
    }

    @Test func `writes its manifest for an installer`() throws {
        let outcome = try run("intents", "manifest", "--save")
        #expect(outcome.status == 0)
        #expect(outcome.output == "The manifest was written.\n")
        #expect(try run("intents", "manifest", "--save").output == "The manifest is up to date.\n")
        let file = File.read(folder.path + "/baton/intents/org.example.greeter.json")
        #expect(file?.contains("\"app\":\"org.example.greeter\"") == true)
    }

    // MARK: The manifest

    @Test func `writes a damaged manifest anew, and leaves one that is up to date`() throws {
        _ = try run("intents", "manifest", "--save")
        let whole = try #require(File.read(manifest()))
        // A file that is replaced has another number.
        let number = try FileManager.default.attributesOfItem(atPath: manifest())[.systemFileNumber] as? Int
        #expect(try run("intents", "run", "Nothing").status == 0)
        #expect(
            try FileManager.default.attributesOfItem(atPath: manifest())[.systemFileNumber] as? Int == number)
        try File.write(String(whole.prefix(200)), to: manifest())
        #expect(try run("intents", "run", "Nothing").status == 0)
        #expect(File.read(manifest()) == whole)
    }

    @Test func `writes its manifest anew after it was moved or replaced by an older file`() throws {
        _ = try run("intents", "manifest", "--save")
        let path = folder.path + "/greeter"
        try install(path)
        #expect(try run([path, "intents", "run", "Nothing"]).errors == "")
        let moved = try #require(File.read(manifest()))
        #expect(moved.contains("\"program\":[\"\(path)\"]"), "\(moved.prefix(300))")
        try install(path)
        #expect(try run([path, "intents", "run", "Nothing"]).errors == "")
        #expect(File.read(manifest()) != moved)
    }

    @Test func `has no manifest if another program has loaded it`() throws {
        let loaders = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"]
        let loader = try #require(loaders.first { FileManager.default.fileExists(atPath: $0) })
        let saved = try run([loader, app, "intents", "manifest", "--save"])
        #expect(saved.status == 1)
        #expect(saved.errors.contains("Commands can't start this app"), "\(saved.errors)")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/baton", withIntermediateDirectories: true)
        let performed = try run([loader, app, "intents", "run", "Greet", "--name", "Ann"])
        #expect((performed.output, performed.errors) == ("Hello, Ann\n", ""))
        #expect(File.read(manifest()) == nil)
    }

    @Test func `has no manifest of a program that was removed while it ran`() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/baton", withIntermediateDirectories: true)
        let path = folder.path + "/greeter"
        try install(path)
        let process = try begin([path, "intents", "run", "Await"], hasInput: true)
        try eventually("a start: \(process.errors)") { process.output == "ready\n" }
        try FileManager.default.removeItem(atPath: path)
        process.write(Array("\n".utf8))
        #expect(try process.wait() == 0)
        #expect(process.errors == "")
        #expect(File.read(manifest()) == nil)
    }

    @Test func `does not replace the manifest of an app whose name it has inherited`() throws {
        let editor = ["BATON_APP": "org.example.editor", "GREETER_HAS_NO_NAME": "yes"]
        let apps = folder.path + "/baton/apps"
        try FileManager.default.createDirectory(
            atPath: apps, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try File.write("{ run: [\"/usr/bin/env\"] }", to: apps + "/org.example.editor.json")
        let refused = try run([app, "intents", "manifest", "--save"], with: editor)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("another program: /usr/bin/env."), "\(refused.errors)")
        let performed = try run([app, "intents", "run", "Nothing"], with: editor)
        #expect(performed.status == 0 && performed.errors == "", "\(performed)")
        #expect(File.read(manifest(of: "org.example.editor")) == nil)
        // Without a file of an installer, the manifest of intents tells the program.
        try File.write("{ run: [\"\(app)\"] }", to: apps + "/org.example.editor.json")
        #expect(try run([app, "intents", "manifest", "--save"], with: editor).status == 0)
        try FileManager.default.removeItem(atPath: apps + "/org.example.editor.json")
        let path = folder.path + "/greeter"
        try install(path)
        #expect(try run([path, "intents", "manifest", "--save"], with: editor).status == 2)
        #expect(try run([app, "intents", "manifest", "--save"], with: editor).status == 0)
    }

    @Test func `is reported by the command once its program is gone, and forgotten`() throws {
        let path = folder.path + "/greeter"
        try install(path)
        _ = try run([path, "intents", "manifest", "--save"])
        let baton = Products.folder + "/baton"
        #expect(try run([baton, "intents"]).errors == "")
        try FileManager.default.removeItem(atPath: path)
        for words in [[baton, "intents"], [baton, "intents", "org.example.greeter"]] {
            let listed = try run(words)
            #expect(listed.status == 0)
            #expect(listed.output.contains("Greet"))
            #expect(listed.errors.contains("\(path) can't be started"), "\(listed.errors)")
            #expect(listed.errors.contains("type `baton intents --forget org.example.greeter`"))
        }
        #expect(try run([baton, "intents", "--forget", "org.example.greeter"]).status == 0)
        #expect(try run([baton, "intents"]).errors == "")
    }

    // MARK: The environment

    @Test func `performs nothing in an environment in which the library would end the program`() throws {
        let outcome = try run(
            [app, "intents", "run", "Greet", "--name", "Ann"], with: ["BATON_ACCOUNT": "a b/c"])
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("IntentApp: "), "\(outcome.errors)")
    }

    @Test func `goes on in such an environment if it only has intents`() throws {
        let process = try begin([app, "stay"], with: ["BATON_ACCOUNT": "a b/c"], hasInput: true)
        try eventually("a report: \(process.errors)") {
            process.errors.contains("The app's intents can't be noted for commands:")
        }
        process.closeInput()
        #expect(try process.wait() == 0)
    }

    /// Whether a program in the folder of a test can have the rights of another user.
    private static var canRaiseRights: Bool {
        var status = statvfs()
        return geteuid() == 0 && statvfs("/tmp", &status) == 0 && status.f_flag & UInt(ST_NOSUID) == 0
    }

    @Test(.enabled(if: canRaiseRights))
    func `has no command if it has more rights than the person who started it`() throws {
        let path = folder.path + "/greeter"
        try install(path)
        guard chown(path, 65534, 65534) == 0, chmod(path, 0o4755) == 0 else {
            throw SystemError("raise the rights of \(path)")
        }
        for words in [["list"], ["run", "Greet", "--name", "Ann"], ["manifest", "--save"]] {
            let outcome = try run([path, "intents"] + words)
            #expect((outcome.status, outcome.output, outcome.errors) == (0, "started\n", ""))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/baton"))
    }

    // MARK: Streams

    @Test func `prints nothing but JSON on the standard output with that option`() throws {
        for words in [["--json", "Chatter"], ["Chatter", "--json"]] {
            let outcome = try run([app, "intents", "run"] + words)
            #expect(outcome.status == 0)
            #expect(outcome.output.hasPrefix("{\"intents\":[\"Chatter\"],\"value\":\"said\""))
            #expect(outcome.output.split(separator: "\n").count == 1, "\(outcome.output)")
            #expect(outcome.errors == "noise\n")
        }
        #expect(try run("intents", "run", "Chatter").output.contains("noise\n"))
    }

    /// Begins an intent that asks for a choice on the screen of a terminal.
    private func beginChoice(at terminal: PseudoTerminal) throws -> ChildProcess {
        try terminal.resize(width: 40, height: 8)
        // Swift's own report of a crash would ask at the terminal what to do next.
        let more = ["TERM": "xterm", "SWIFT_BACKTRACE": "enable=no"]
        let process = try ChildProcess(
            ["sh", "-c", "exec \"$0\" intents run Taste 2>&1", app],
            environment: variables.merging(more) { $1 }, files: folder.path + "/choice",
            terminal: terminal, showsOnTerminal: true)
        try eventually("a list: \(terminal.output)") { terminal.screen.contains { $0.contains("Mint") } }
        return process
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT, SIGSEGV])
    func `restores the terminal when a signal ends it`(_ signal: Int32) throws {
        let terminal = try PseudoTerminal()
        let modes = try terminal.modes
        let process = try beginChoice(at: terminal)
        #expect(try terminal.modes != modes)
        process.signal(signal)
        #expect(try process.wait() == 128 + signal)
        #expect(try terminal.modes == modes)
        #expect(terminal.output.hasSuffix("\u{1b}[?1049l\u{1b}[?25h"))
    }

    @Test func `draws its list anew in a window of another size, and after it was stopped`() throws {
        let terminal = try PseudoTerminal()
        let modes = try terminal.modes
        let process = try beginChoice(at: terminal)
        let raw = try terminal.modes
        try terminal.resize(width: 30, height: 5)
        try eventually("a smaller list: \(terminal.screen)") { terminal.screen.count == 5 }
        process.signal(SIGSTOP)
        // A shell sets the modes that it needs.
        try terminal.setModes(modes)
        process.signal(SIGCONT)
        try eventually("raw mode") { try terminal.modes == raw }
        terminal.press("mint\r")
        #expect(try process.wait() == 0)
        #expect(terminal.output.contains("tastes of mint"))
        #expect(try terminal.modes == modes)
    }
}
