import BatonCore
import BatonNetwork
import Foundation
import Support

/// Where a node runs: by default in this machine's own network, where it is reached from this machine alone.
struct NodePlace {
    /// The words that run a command there.
    var words: [String] = []
    /// The options of the node.
    var options = ["--listen", "127.0.0.1:0"]
    /// The options by which another machine finds it; nil if it takes the address at which it listens.
    var route: [String]?
}

/// A home with an account, and the node that runs on it: a real process, as it is shipped.
final class NodeHome {
    let account: AccountIdentifier
    let path: String
    private let device: String
    /// A person's session has a folder in memory; there a node notes what it told ahead.
    private let session: TemporaryFolder
    private let place: NodePlace
    private var node: ChildProcess?

    /// Makes an account in a new home.
    init(_ path: String, at place: NodePlace = NodePlace()) throws {
        (self.path, self.place, device, session) = (path, place, "large", try Self.makeSession())
        try makeFolder(path)
        let made = try Self.answer(["init", "--name", device, "--home", path], path, session)
        account = try made.result(NewAccountReply.self).get().account
    }

    /// Joins the account of another home, whose node runs.
    init(_ path: String, joining other: NodeHome, at place: NodePlace = NodePlace()) throws {
        (self.path, device, account, session) = (path, "joined", other.account, try Self.makeSession())
        self.place = place
        try makeFolder(path)
        let code = try other.ask(OpenInvitation(asksPerson: false)).code
        let route = try other.place.route ?? ["--at", other.ask(GetStatus()).listening]
        let words = ["join", code] + route + ["--name", device, "--home", path]
        _ = try Self.answer(words, path, session, place).result(AdmissionReply.self).get()
    }

    /// Where its keys and certificates are.
    var identity: String { store + "/identity" }

    /// Where its databases are.
    var store: String { path + "/accounts/default" }

    /// Where apps reach the node.
    var socket: String { path + "/run/node.sock" }

    /// The number of the node's process.
    var process: pid_t {
        get throws {
            guard let node, node.isRunning else {
                throw BenchmarkFailure("the node has ended: \(node?.errors ?? "")")
            }
            return node.number
        }
    }

    /// The status that the node reports.
    var status: NodeStatus {
        get throws {
            try ask(GetStatus())
        }
    }

    /// Starts the node, and waits until it serves; further words before its own run it under another program.
    func start(under words: [String] = []) throws {
        var place = place
        place.words += words
        node = try Self.run(["run", "--home", path] + place.options, path, session, place)
        _ = try eventual("a node on \(path)") { try? ask(GetStatus()) }
    }

    /// Ends the node, and waits until it has.
    func stop() throws {
        node?.signal(SIGTERM)
        _ = try node?.wait()
        node = nil
    }

    /// Asks the node.
    func ask<Call: LocalCall>(_ call: Call) throws -> Call.Reply {
        var app = try CountedApp(self)
        try app.send(LocalHello(build: Build.version, process: getpid()).frame.encoded)
        return try app.ask(call)
    }

    /// Returns a figure of the node's memory from `/proc`, in mebibytes.
    func memory(_ line: String) throws -> Double {
        guard let status = File.read("/proc/\(try process)/status"),
            let row = status.split(separator: "\n").first(where: { $0.hasPrefix(line + ":") }),
            let kilobytes = Double(row.filter(\.isNumber))
        else { throw BenchmarkFailure("the node has ended: \(node?.errors ?? "")") }
        return kilobytes / 1024
    }

    /// Waits until the node has given back what it needed only while it started.
    func rest() throws {
        let started = try memory("VmRSS")
        try eventually("a node at rest", within: .seconds(30)) { try memory("VmRSS") < started - 1 }
    }

    /// Has the system measure the peak anew.
    func forgetPeak() throws {
        guard let node else { return }
        try File.write("5", to: "/proc/\(node.number)/clear_refs")
    }

    // MARK: Processes

    private static func makeSession() throws -> TemporaryFolder { try TemporaryFolder(in: "/dev/shm") }

    /// Returns the path of a program beside this one, as the build puts it.
    static func program(_ name: String) throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return (own as NSString).deletingLastPathComponent + "/" + name
    }

    private static func run(
        _ words: [String], _ path: String, _ session: TemporaryFolder, _ place: NodePlace
    ) throws -> ChildProcess {
        let environment = [
            "HOME": path, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": session.path,
        ]
        return try ChildProcess(
            place.words + [try program("baton-node")] + words, environment: environment,
            files: path + "/.written")
    }

    /// Returns the answer of a node that does one thing and then ends.
    private static func answer(
        _ words: [String], _ path: String, _ session: TemporaryFolder, _ place: NodePlace = NodePlace()
    ) throws -> LocalAnswer {
        let process = try run(words, path, session, place)
        guard try process.wait() == 0 else { throw BenchmarkFailure("baton-node: \(process.errors)") }
        var decoder = FrameDecoder()
        decoder.feed(Array(try Data(contentsOf: URL(fileURLWithPath: path + "/.written.out"))))
        // The last one is the outcome; a machine that joins says before whom it has found.
        var last: Frame?
        while let frame = try decoder.next() { last = frame }
        guard let last else { throw BenchmarkFailure("baton-node said nothing") }
        try FileManager.default.removeItem(atPath: path + "/.written.out")
        return try LocalAnswer(last)
    }
}

/// Makes a folder that is not there.
func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
}
