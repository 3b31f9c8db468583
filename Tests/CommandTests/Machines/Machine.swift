import Foundation
import Support
import Testing

/// A machine of the test: a home of its own, the commands typed there, and its node.
///
/// Whatever it started is killed when nobody holds it any more, also when the test fails.
final class Machine {
    let name: String
    /// The folder that holds everything of it.
    let home: String
    /// Keeps the folder for as long as the machine is there.
    private let folder: TemporaryFolder
    private var node: ChildProcess?
    /// Where its node listens; the same again after a restart.
    var address = "127.0.0.1:0"
    private var runs = 0

    /// A machine with nothing on it yet.
    init(_ name: String, in folder: TemporaryFolder) {
        (self.name, self.folder) = (name, folder)
        home = folder.path + "/" + name
        try? FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    }

    // MARK: Typing

    /// Types a command, and waits for what comes of it.
    @discardableResult func baton(_ words: String...) throws -> Answer { try type(["baton"] + words) }

    /// Types any command that finds `baton`, and waits for what comes of it.
    func type(_ words: [String]) throws -> Answer {
        let process = try begin(words)
        let status = try process.wait()
        return Answer(words: words, status: status, output: process.output, errors: process.errors)
    }

    /// Types a command that must succeed, and returns what it printed.
    @discardableResult func must(
        _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let answer = try type(["baton"] + words)
        try #require(answer.status == 0, "\(answer)", sourceLocation: sourceLocation)
        return answer.output
    }

    /// Types a command that must print one value as JSON.
    func json(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> JSONValue {
        let answer = try type(["baton"] + words + ["--json"])
        try #require(answer.status == 0, "\(answer)", sourceLocation: sourceLocation)
        return try JSONValue(answer.output)
    }

    /// Starts a command, and goes on.
    func begin(
        _ words: [String], hasInput: Bool = false, terminal: PseudoTerminal? = nil
    ) throws -> ChildProcess {
        runs += 1
        let words = words[0] == "baton" ? [Products.baton] + words.dropFirst() : words
        return try ChildProcess(
            words, environment: environment, files: files + "/\(runs)", hasInput: hasInput,
            terminal: terminal)
    }

    /// What a shell of this machine has in its environment.
    private var environment: [String: String] {
        let usual = [
            "BATON_HOME": home, "HOME": folder.path, "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": folder.path + "/runtime",
            "PATH": "\(Products.folder):/usr/bin:/bin",
        ]
        return usual.merging(variables) { $1 }
    }

    /// What else its shells have in their environment, or in the place of what is usual.
    var variables: [String: String] = [:]

    /// Where what processes write is kept.
    private var files: String { folder.path + "/.written-by-" + name }

    // MARK: The node

    /// Starts the node, where it was before or at a port that the system chooses, and waits until it serves.
    func startNode() throws {
        var node = try beginNode()
        let status = try eventual("a node on \(name); its log: \(log)") { () -> JSONValue? in
            if !node.isRunning, log.contains("Another program listens at \(address).") {
                // The system gave the port to a connection that somebody made meanwhile; that passes.
                node = try beginNode()
            }
            try #require(node.isRunning, "the node on \(name) ended: \(log)")
            let answer = try type(["baton", "status", "--json"])
            return answer.status == 0 ? try JSONValue(answer.output) : nil
        }
        address = try #require(status["listening"].string)
    }

    /// Starts a node by another command, which may have these descriptors from 3 on.
    func startNode(by words: [String], passing descriptors: [Int32] = []) throws {
        node = try ChildProcess(words, environment: environment, files: files + "/node", passing: descriptors)
    }

    private func beginNode() throws -> ChildProcess {
        let node = try ChildProcess(
            [Products.baton, "node", "--listen", address], environment: environment, files: files + "/node")
        self.node = node
        return node
    }

    /// What the node has said so far, in all its lives.
    var log: String { File.read(files + "/node.err") ?? "" }

    /// The port of that address.
    var port: UInt16 { address.split(separator: ":").last.flatMap { UInt16($0) } ?? 0 }

    /// The number of the node's process.
    var nodeNumber: pid_t? { node?.number }

    var isNodeRunning: Bool { node?.isRunning ?? false }

    /// Sends the node a signal.
    func signalNode(_ signal: Int32) { node?.signal(signal) }

    /// Kills the node as a crash would.
    func killNode() {
        node?.end(SIGKILL)
        node = nil
    }

    /// Asks the node to end, and returns the status with which it does.
    func stopNode() throws -> Int32 {
        let node = try #require(node)
        node.signal(SIGTERM)
        self.node = nil
        return try node.wait()
    }

    /// Waits until the node has ended by itself, and returns the status with which it did.
    func awaitNodeEnd() throws -> Int32 {
        let node = try #require(node)
        self.node = nil
        return try node.wait()
    }

    /// Waits until this machine and all others are in step.
    func waitUntilInStep(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let answer = try baton("status", "--wait", "--timeout", "30")
        try #require(answer.status == 0, "\(answer)\n\(log)", sourceLocation: sourceLocation)
    }
}

/// Where the programs under test are: beside the bundle of these tests.
enum Products {
    static let folder: String = {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (path as NSString).deletingLastPathComponent
    }()

    static let baton = folder + "/baton"
}
