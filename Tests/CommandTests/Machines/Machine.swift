import Foundation
import Support
import Testing

/// A machine of the test: its home, the commands that are run on it, and its node.
///
/// All its processes are killed when the object is freed, also when the test fails.
final class Machine {
    let name: String
    /// The folder with everything of the machine.
    let home: String
    /// Keeps the folder while the machine exists.
    private let folder: TemporaryFolder
    private var node: ChildProcess?
    /// The address of its node, which stays the same after a restart.
    var address = "127.0.0.1:0"
    private var runs = 0

    /// A machine without an account.
    init(_ name: String, in folder: TemporaryFolder) {
        (self.name, self.folder) = (name, folder)
        home = folder.path + "/" + name
        try? FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    }

    // MARK: Typing

    /// Runs a `baton` command, and waits for its end.
    @discardableResult func baton(_ words: String...) throws -> Answer { try type(["baton"] + words) }

    /// Runs any command with `baton` on its path, and waits for its end.
    func type(_ words: [String]) throws -> Answer {
        let process = try begin(words)
        let status = try process.wait()
        return Answer(words: words, status: status, output: process.output, errors: process.errors)
    }

    /// Runs a command that must succeed, and returns its output.
    @discardableResult func must(
        _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        try must(words, sourceLocation: sourceLocation)
    }

    /// Runs a command of `baton` that must succeed, and returns its output.
    @discardableResult func must(
        _ words: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let answer = try type(["baton"] + words)
        try #require(answer.status == 0, "\(answer)", sourceLocation: sourceLocation)
        return answer.output
    }

    /// Runs a command that must print one value as JSON.
    func json(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> JSONValue {
        let answer = try type(["baton"] + words + ["--json"])
        try #require(answer.status == 0, "\(answer)", sourceLocation: sourceLocation)
        return try JSONValue(answer.output)
    }

    /// Starts a command without waiting.
    func begin(
        _ words: [String], hasInput: Bool = false, terminal: PseudoTerminal? = nil,
        showsOnTerminal: Bool = false
    ) throws -> ChildProcess {
        runs += 1
        let words = words[0] == "baton" ? [Products.baton] + words.dropFirst() : words
        return try ChildProcess(
            words, environment: environment, files: files + "/\(runs)", hasInput: hasInput,
            terminal: terminal, showsOnTerminal: showsOnTerminal)
    }

    /// The environment of this machine's shells.
    private var environment: [String: String] {
        let usual = [
            "BATON_HOME": home, "HOME": folder.path, "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": folder.path + "/runtime",
            "PATH": "\(Products.folder):/usr/bin:/bin",
        ]
        return usual.merging(variables) { $1 }
    }

    /// Further variables of its shells, which override the usual ones.
    var variables: [String: String] = [:]

    /// The folder for the output of processes.
    private var files: String { folder.path + "/.written-by-" + name }

    // MARK: The node

    /// Starts the node, at its earlier address or at a port that the system chooses, and waits until it serves.
    func startNode() throws {
        var node = try beginNode()
        let status = try eventual("a node on \(name); its log: \(log)") { () -> JSONValue? in
            if !node.isRunning, log.contains("Another program is already listening on \(address).") {
                // Meanwhile a connection may have been given the port; that is temporary.
                node = try beginNode()
            }
            try #require(node.isRunning, "the node on \(name) ended: \(log)")
            let answer = try type(["baton", "status", "--json"])
            return answer.status == 0 ? try JSONValue(answer.output) : nil
        }
        address = try #require(status["listening"].string)
    }

    /// Starts a node with another command, which gets these descriptors from 3 on.
    func startNode(by words: [String], passing descriptors: [Int32] = []) throws {
        node = try ChildProcess(words, environment: environment, files: files + "/node", passing: descriptors)
    }

    private func beginNode() throws -> ChildProcess {
        let node = try ChildProcess(
            [Products.baton, "node", "--listen", address], environment: environment, files: files + "/node")
        self.node = node
        return node
    }

    /// The log of the node, over all restarts.
    var log: String { File.read(files + "/node.err") ?? "" }

    /// The port of that address.
    var port: UInt16 { address.split(separator: ":").last.flatMap { UInt16($0) } ?? 0 }

    /// The number of the node's process.
    var nodeNumber: pid_t? { node?.number }

    /// Returns a figure of the memory of the node's process, in kilobytes, as the kernel measured it.
    func nodeMemory(_ name: String) throws -> Int {
        let number = try #require(nodeNumber)
        let status = try #require(File.read("/proc/\(number)/status"))
        let row = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(Int(row.filter(\.isNumber)))
    }

    var isNodeRunning: Bool { node?.isRunning ?? false }

    /// Sends the node a signal.
    func signalNode(_ signal: Int32) { node?.signal(signal) }

    /// Kills the node as a crash would.
    func killNode() {
        node?.end(SIGKILL)
        node = nil
    }

    /// Asks the node to end, and returns its exit status.
    func stopNode() throws -> Int32 {
        let node = try #require(node)
        node.signal(SIGTERM)
        self.node = nil
        return try node.wait()
    }

    /// Waits until the node has ended by itself, and returns its exit status.
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

/// The folder of the programs under test: that of the test bundle, or the one that `BATON_PRODUCTS` names.
enum Products {
    static let folder: String = {
        if let named = ProcessInfo.processInfo.environment["BATON_PRODUCTS"] { return named }
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (path as NSString).deletingLastPathComponent
    }()

    static let baton = folder + "/baton"
}
