import Foundation
import Support
import Testing

/// Another user of the machine, who pretends to be the node.
@Suite struct `Another user of the machine` {
    /// Listens on a socket that everyone can reach, and records the callers and what they sent.
    private static let impostor = """
        import os, socket, sys
        os.umask(0)
        if len(sys.argv) > 2: os.mkdir(sys.argv[2], 0o777)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(sys.argv[1])
        listener.listen(8)
        print("listening", flush=True)
        while True:
            caller, _ = listener.accept()
            print("called", flush=True)
            caller.settimeout(2)
            try:
                while told := caller.recv(65536): print("told", told, flush=True)
            except OSError: pass
        """

    private static let isRoot = getuid() == 0

    /// A folder in which everyone may create files, like /tmp.
    private func sharedFolder(_ folder: TemporaryFolder, _ name: String) throws -> String {
        let path = folder.path + "/" + name
        try #require(chmod(folder.path, 0o755) == 0 && mkdir(path, 0o700) == 0 && chmod(path, 0o1777) == 0)
        return path
    }

    /// Has the user `nobody` listen there; the folder of the socket is created first, if it is named.
    private func begin(_ machine: Machine, at socket: String, making folder: String? = nil) throws
        -> ChildProcess
    {
        let impostor = try machine.begin(
            [
                "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "python3", "-c", Self.impostor,
                socket,
            ]
                + (folder.map { [$0] } ?? []))
        try eventually("an impostor: \(impostor.errors)") { impostor.output == "listening\n" }
        return impostor
    }

    /// A machine in its usual folders, with an account and this runtime folder.
    private func machine(_ folder: TemporaryFolder, runtime: String) throws -> Machine {
        let machine = Machine("laptop", in: folder)
        machine.variables = ["BATON_HOME": "", "HOME": machine.home, "XDG_RUNTIME_DIR": runtime]
        try FileManager.default.createDirectory(atPath: machine.home, withIntermediateDirectories: false)
        try machine.must("init", "--no-confirm", "--name", "laptop")
        return machine
    }

    @Test(.enabled(if: isRoot, "a second user needs root"))
    func `a runtime folder that belongs to another user is not used`() throws {
        let folder = try TemporaryFolder()
        let shared = try sharedFolder(folder, "shared")
        let machine = try machine(folder, runtime: shared)
        let impostor = try begin(machine, at: shared + "/baton/node.sock", making: shared + "/baton")
        defer { impostor.end(SIGKILL) }
        // As after `su`: the variable names a folder in which no node of this home can be.
        for words in [["status"], ["list"], ["start", "t", "--title", "secret"]] {
            let answer = try machine.type(["baton"] + words)
            #expect(answer.status == 3 && answer.errors.contains("No node is running here."), "\(answer)")
        }
        // A node listens in the home, where commands look first.
        try machine.startNode()
        try machine.must("status")
        #expect(impostor.output == "listening\n")
    }

    @Test(.enabled(if: isRoot, "a second user needs root"))
    func `for another user's home the node does not advise taking ownership`() throws {
        let folder = try TemporaryFolder()
        let machine = Machine("laptop", in: folder)
        try machine.must("init", "--no-confirm", "--name", "laptop")
        #expect(try machine.type(["chown", "-R", "65534", machine.home]).status == 0)
        let answer = try machine.baton("node", "--listen", "127.0.0.1:0")
        #expect(answer.status == 1 && answer.errors.contains("belongs to user 65534"), "\(answer)")
        #expect(answer.errors.contains("Leave it to that user"), "\(answer)")
        #expect(!answer.errors.contains("chown"), "\(answer)")
    }

    @Test(.enabled(if: isRoot, "a second user needs root"))
    func `another user who listens on the node's socket is sent nothing`() throws {
        let folder = try TemporaryFolder()
        let shared = try sharedFolder(folder, "shared")
        let machine = try machine(folder, runtime: folder.path + "/runtime")
        let impostor = try begin(machine, at: shared + "/node.sock")
        defer { impostor.end(SIGKILL) }
        let own = folder.path + "/runtime/baton"
        try FileManager.default.createDirectory(
            atPath: own, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try #require(rename(shared + "/node.sock", own + "/node.sock") == 0)
        for words in [["promote"], ["app", "org.example.a"]] {
            let answer = try machine.type(["baton"] + words)
            #expect(answer.status == 14 && answer.errors.contains("user 65534 listens there"), "\(answer)")
        }
        try eventually("the calls") { impostor.output.split(separator: "\n").count == 3 }
        #expect(!impostor.output.contains("told"), "\(impostor.output)")
    }

    @Test(.enabled(if: isRoot, "a second user needs root"))
    func `a witness folder that belongs to another user is not used`() throws {
        let folder = try TemporaryFolder()
        let account = try Account("laptop")
        let machine = account[0]
        try #require(machine.stopNode() == 0)
        let shared = try sharedFolder(folder, "shared")
        try #require(mkdir(shared + "/baton", 0o777) == 0 && chown(shared + "/baton", 65534, 65534) == 0)
        machine.variables["XDG_RUNTIME_DIR"] = shared
        try machine.startNode()
        #expect(machine.log.contains("every start of the node begins a new life"), "\(machine.log)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: shared + "/baton").isEmpty)
    }

    @Test(arguments: ["open", "link"])
    func `a socket folder that other users can use is refused, with advice`(kind: String) throws {
        let folder = try TemporaryFolder()
        let runtime = folder.path + "/runtime"
        let machine = try machine(folder, runtime: runtime)
        let other = folder.path + "/other"
        for path in [other, runtime] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        for place in [runtime + "/baton", machine.home + "/.local/share/baton/run"] {
            if kind == "open" {
                try #require(mkdir(place, 0o700) == 0 && chmod(place, 0o770) == 0)
            } else {
                try #require(symlink(other, place) == 0)
            }
            let answer = try machine.baton("status")
            #expect(answer.status == 14, "\(answer)")
            #expect(
                answer.errors.contains(kind == "open" ? "chmod go= \(place)" : "symbolic link"),
                "\(answer)")
        }
        let node = try machine.baton("node", "--listen", "127.0.0.1:0")
        #expect(node.status == (kind == "open" ? 1 : 14), "\(node)")
        #expect(node.errors.contains(kind == "open" ? "`chmod -R go= " : "symbolic link"), "\(node)")
    }
}
