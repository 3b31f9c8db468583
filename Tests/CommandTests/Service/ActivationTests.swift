import Foundation
import Support
import Testing

/// A node whose sockets somebody else has opened.
@Suite struct `Socket activation` {
    @Test(.enabled(if: Tool.isThere("systemd-socket-activate"), "systemd-socket-activate is not installed"))
    func `the first command starts the node on the passed port`() throws {
        let folder = try TemporaryFolder()
        let machine = Machine("laptop", in: folder)
        try machine.must("init", "--no-confirm", "--name", "laptop")
        try FileManager.default.createDirectory(
            atPath: machine.home + "/run", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let path = machine.home + "/run/node.sock"
        let free = try Listening().port
        try machine.startNode(
            by: [
                "systemd-socket-activate", "-E", "BATON_HOME", "-l", path, "-l", "127.0.0.1:\(free)",
                Products.baton, "node",
            ])
        try eventually("both sockets") { machine.log.contains(" as 4.") }
        #expect(!machine.log.contains("starting in"), "nobody has called yet")
        let status = try machine.json("status")
        let port = try #require(status["listening"].string?.split(separator: ":").last.flatMap { UInt16($0) })
        #expect(machine.log.contains("Communication attempt on fd 3"), "\(machine.log)")
        // A stranger who connects to the port is served, and refused.
        let stranger = try RawConnection(port: port)
        stranger.write(Array("hello".utf8))
        #expect(stranger.readToEnd()?.contains(0) != nil)
        // Child processes must not get its sockets, and it must not remove the socket file.
        #expect(try machine.stopNode() == 0)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func `commands during a restart are answered, and no acknowledged change is lost`()
        throws
    {
        let folder = try TemporaryFolder()
        let machine = Machine("laptop", in: folder)
        try machine.must("init", "--no-confirm", "--name", "laptop")
        let sockets = try HeldSockets(for: machine)
        try sockets.startNode(on: machine)
        try machine.must("status")
        var (calls, numbers): ([ChildProcess], Set<pid_t>) = ([], [])
        for round in 0..<5 {
            for place in 0..<8 {
                calls.append(
                    try machine.begin([
                        "baton", "start", "t", "--instance", "\(round).\(place)", "--title", "x",
                    ]))
            }
            // Before it handles signals, a signal ends it like any process.
            try machine.must("status")
            numbers.insert(try #require(machine.nodeNumber))
            #expect(try machine.stopNode() == 0)
            // Nobody serves now, and these wait all the same.
            calls.append(
                try machine.begin(["baton", "start", "t", "--instance", "\(round).late", "--title", "x"]))
            try sockets.startNode(on: machine)
        }
        for call in calls {
            let status = try call.wait()
            #expect(status == 0, "\(call.output)\(call.errors)\n\(machine.log)")
        }
        #expect(try machine.list().count == 45 && numbers.count == 5)
    }

    @Test func `unusable passed sockets are refused with a message`() throws {
        let folder = try TemporaryFolder()
        let machine = Machine("laptop", in: folder)
        try machine.must("init", "--no-confirm", "--name", "laptop")
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let unbound = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let datagrams = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let elsewhere = try Listening(atUnix: folder.path + "/other.sock")
        let other = elsewhere.copy
        defer { for descriptor in [file, unbound, datagrams, other] { close(descriptor) } }
        let wrong: [(Int32, String)] = [
            (file, "the passed descriptor 3 (“baton”): it is not a socket"),
            (unbound, "it does not listen"),
            (datagrams, "it is not a stream socket"),
            (other, "apps of this home use \(machine.home)/run/node.sock"),
        ]
        for (descriptor, reason) in wrong {
            try HeldSockets.startNode(on: machine, passing: [descriptor])
            #expect(try machine.awaitNodeEnd() == 1)
            #expect(machine.log.contains(reason), "\(machine.log)")
        }
    }

    @Test func `sockets passed to another process are left alone`() throws {
        let folder = try TemporaryFolder()
        let machine = Machine("laptop", in: folder)
        try machine.must("init", "--no-confirm", "--name", "laptop")
        machine.variables["LISTEN_PID"] = "1"
        machine.variables["LISTEN_FDS"] = "2"
        try machine.startNode()
        #expect(try machine.stopNode() == 0)
        #expect(!FileManager.default.fileExists(atPath: machine.home + "/run/node.sock"))
    }

    @Test func `the service manager is notified when the node is ready and when it stops`() throws {
        let folder = try TemporaryFolder()
        let machine = Machine("laptop", in: folder)
        try machine.must("init", "--no-confirm", "--name", "laptop")
        let manager = try Datagrams(at: folder.path + "/notify")
        machine.variables["NOTIFY_SOCKET"] = folder.path + "/notify"
        try machine.startNode()
        #expect(manager.next() == "READY=1\nSTATUS=listening on \(machine.address)")
        #expect(try machine.stopNode() == 0)
        #expect(manager.next() == "STOPPING=1\nSTATUS=stopping")
    }

    @Test func `log lines for the journal have a priority and no time`() throws {
        let folder = try TemporaryFolder()
        let machine = Machine("laptop", in: folder)
        try machine.must("init", "--no-confirm", "--name", "laptop")
        // The shell knows which file its standard error is.
        let script = "JOURNAL_STREAM=$(stat -L -c %d:%i /dev/stderr) exec \"$0\" node --listen 127.0.0.1:0"
        try machine.startNode(by: ["/bin/sh", "-c", script, Products.baton])
        try eventually("a start") { machine.log.contains("is listening on") }
        #expect(try machine.stopNode() == 0)
        let lines = machine.log.split(separator: "\n")
        #expect(lines.count >= 4 && lines.allSatisfy { $0.hasPrefix("<6>") }, "\(machine.log)")
        #expect(machine.log.contains("<6>received SIGTERM; stopping\n<6>stopped in "))
    }
}
