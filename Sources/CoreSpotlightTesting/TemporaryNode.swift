public import Foundation

/// A machine for the tests of an app: a node with its own account, in a temporary folder.
///
/// One machine can be used by the process of the test itself. Other machines of the same person can join it:
///
///     let laptop = try TemporaryNode()
///     laptop.useInThisProcess()
///     let desktop = try TemporaryNode(named: "desktop", joining: laptop)
///     try await CSSearchableIndex(name: "notes").indexSearchableItems(notes)
///     try laptop.waitUntilInStep()
///     #expect(try desktop.baton("search", "groceries").contains("Shopping list"))
///
/// To do something on a machine, call `baton`, or run a program with the `environment` of the machine. When the object
/// is released, its node ends, and its folder is removed.
public final class TemporaryNode: Sendable {
    /// The name of the machine.
    public let name: String
    /// The folder with all files of this machine and its programs.
    public let folder: URL

    private let programs: BatonPrograms
    private let process = NodeProcess()

    /// Creates an account with this machine as its first device, and starts the node of the machine.
    ///
    /// `programs` is the folder with the programs `baton` and `baton-node`. If it is nil, they are searched in
    /// `BATON_PROGRAMS`, beside this program, and on the `PATH`.
    public convenience init(named name: String = "laptop", programs folder: URL? = nil) throws {
        try self.init(name, try BatonPrograms(in: folder))
        try baton("init", "--no-confirm", "--name", name)
        try start()
    }

    /// Adds a new machine to the account of another machine, and starts the node of the new machine.
    public convenience init(named name: String, joining other: TemporaryNode) throws {
        try self.init(name, other.programs)
        let invitation = try JSONDecoder().decode(
            Invitation.self, from: Data(other.baton("invite", "--no-wait", "--json").utf8))
        try baton("join", invitation.code, "--at", other.address, "--name", name)
        try start()
        // Machines do not send loopback addresses to each other. So each machine is told the address of the other one
        // here.
        try introduce(to: other)
        try waitUntilInStep()
    }

    private init(_ name: String, _ programs: BatonPrograms) throws {
        (self.name, self.programs) = (name, programs)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "baton-\(UUID().uuidString)", isDirectory: true)
        // The folder contains keys, so no other user may read it.
        let mine: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        for path in [folder.path, runtimeFolder] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: mine)
        }
    }

    deinit {
        process.end(with: SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    private struct Invitation: Decodable { let code: String }

    // MARK: The node

    /// Starts the node again after `stop()` or `kill()`; apps then connect again automatically.
    public func start() throws {
        let log = folder.appendingPathComponent("node.log")
        try process.start(
            programs.baton, ["node", "--listen", process.address ?? "127.0.0.1:0"], environment, log: log)
        let status: Status = try eventually("The node of “\(name)” did not start") {
            guard process.isRunning else {
                throw TestingFailure("The node of “\(name)” ended:\n\(logText)")
            }
            return try? JSONDecoder().decode(Status.self, from: Data(baton("status", "--json").utf8))
        }
        process.address = status.listening
    }

    private struct Status: Decodable { let listening: String }

    /// Asks the node to end, and waits until it has ended.
    public func stop() { process.end(with: SIGTERM) }

    /// Ends the node abruptly, like a crash.
    public func kill() { process.end(with: SIGKILL) }

    /// The lines that the node has written to its log.
    public var logText: String {
        (try? String(contentsOf: folder.appendingPathComponent("node.log"), encoding: .utf8)) ?? ""
    }

    private var address: String { process.address ?? "" }

    /// Tells each machine at which address the other one listens, once the machines know each other.
    private func introduce(to other: TemporaryNode) throws {
        for (one, another) in [(self, other), (other, self)] {
            let _: String = try eventually("“\(one.name)” did not hear of “\(another.name)”") {
                try? one.baton("devices", another.name, "--at", another.address)
            }
        }
    }

    // MARK: Commands

    /// Runs a command of `baton` on this machine, and returns its output.
    @discardableResult public func baton(_ words: String...) throws -> String {
        try programs.run(words, environment, in: folder)
    }

    /// Waits until this machine and all reachable machines of its account have the same data.
    public func waitUntilInStep(timeout: TimeInterval = 30) throws {
        try baton("status", "--wait", "--timeout", "\(Int(timeout.rounded(.up)))")
    }

    /// The environment variables for programs on this machine.
    public var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment.merging(place) { $1 }
        let path = environment["PATH"] ?? "/usr/bin:/bin"
        environment["PATH"] = programs.folder.path + ":" + path
        return environment
    }

    /// Makes CoreSpotlight in this process use this node instead of the person's node.
    ///
    /// Programs that this process starts also use this node. Call this before anything uses CoreSpotlight and before
    /// other threads run, because it changes environment variables.
    public func useInThisProcess() {
        for (variable, value) in place { setenv(variable, value, 1) }
    }

    /// The environment variables that tell programs where this machine's node and their own files are.
    private var place: [String: String] {
        [
            "BATON_HOME": folder.appendingPathComponent("node").path,
            "XDG_STATE_HOME": folder.appendingPathComponent("state").path,
            "XDG_DATA_HOME": folder.appendingPathComponent("data").path,
            "XDG_CONFIG_HOME": folder.appendingPathComponent("configuration").path,
            "XDG_RUNTIME_DIR": runtimeFolder,
        ]
    }

    private var runtimeFolder: String { folder.appendingPathComponent("runtime").path }

    /// Tries repeatedly until there is a result; throws if that takes too long.
    private func eventually<Result>(
        _ complaint: String, within seconds: TimeInterval = 30, _ attempt: () throws -> Result?
    ) throws -> Result {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while true {
            if let result = try attempt() { return result }
            guard deadline > Date() else {
                throw TestingFailure("\(complaint) within \(Int(seconds)) seconds:\n\(logText)")
            }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }
}

/// The error if a test machine could not be created, or if a command on it failed.
public struct TestingFailure: Error, CustomStringConvertible {
    /// A description for a person.
    public let description: String

    init(_ description: String) { self.description = description }
}
