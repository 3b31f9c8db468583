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

    /// Runs the app; its standard input is empty, so nobody can be asked.
    private func run(_ words: String...) throws -> Outcome {
        let app = try ChildProcess(
            [Products.folder + "/IntentApp"] + words,
            environment: variables, files: "\(folder.path)/\(UUID().uuidString)")
        let status = try app.wait()
        return Outcome(status: status, output: app.output, errors: app.errors)
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
}
