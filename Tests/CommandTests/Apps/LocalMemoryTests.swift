import Foundation
import Support
import Testing

/// The memory that hostile apps can make a node use; the promise is 64 MiB at peak, whatever they do.
@Suite struct `The node's memory for local apps` {
    private let machine: Machine

    init() throws { machine = try Account("laptop")[0] }

    /// The peak memory of the node, in MiB.
    private func peak() throws -> Int { try machine.nodeMemory("VmHWM") >> 10 }

    /// Starts a program in Python that plays several apps, and waits until it is done; they stay connected until it
    /// ends.
    private func play(_ script: String) throws -> ChildProcess {
        let head = """
            import os, select, signal, socket, sys
            signal.alarm(60)
            def frame(kind, body): return len(body).to_bytes(3, "big") + bytes([kind]) + body
            def connect():
                app = socket.socket(socket.AF_UNIX)
                app.connect(sys.argv[1])
                app.sendall(frame(0x40, bytes.fromhex("a3010102617803") + b"\\x01"))
                return app
            def send(apps, bytes):
                # As much as the node takes, until it has taken nothing for a second.
                rest = {app: bytes for app in apps}
                for app in apps: app.setblocking(False)
                while ready := select.select([], [app for app in apps if rest[app]], [], 1)[1]:
                    for app in ready:
                        try: rest[app] = rest[app][app.send(rest[app][:262144]):]
                        except BlockingIOError: pass
                        except OSError: rest[app] = b""
            def wait(apps):
                # Until each has something to read.
                for app in apps: select.select([app], [], [])

            """
        let app = try machine.begin(
            [
                "python3", "-c", head + script + "\nprint('done', flush=True)\nsignal.pause()",
                machine.home + "/run/node.sock",
            ])
        try eventually("what apps do: \(app.errors)") { app.output.hasSuffix("done\n") }
        return app
    }

    @Test func `memory stays bounded when an app sends large lines, and each line is answered`() throws {
        let items = (0..<20_000).map { "{\"item\":\"\($0)\"}" }.joined(separator: ",")
        let lines = (0..<8).map { "{\"id\":\($0),\"index\":[\(items)]}\n" }.joined()
        try File.write(lines, to: machine.home + "-lines")
        let answer = try machine.type(["bash", "-c", "baton app org.example.notes <'\(machine.home)-lines'"])
        #expect(answer.status == 0, "\(answer)")
        let answers = answer.output.split(separator: "\n")
        #expect(answers.count == 8 && answers.allSatisfy { $0.contains("\"done\":true") }, "\(answers)")
        #expect(try peak() <= 64)
    }

    @Test func `memory stays bounded when an app sends many requests before it reads replies`() throws {
        let app = try play(
            """
            items = b"".join(b"\\x84\\x00\\x66%06d\\xf6\\xa0" % number for number in range(20000))
            head = bytes.fromhex("0a83") + b"\\x82\\x61a\\x61b" + bytes.fromhex("f6") + b"\\x99" + (20000).to_bytes(2, "big")
            app = connect()
            app.settimeout(50)
            def write():
                for number in range(8): app.sendall(frame(0x41, b"\\x83" + bytes([number + 1]) + head + items))
            import threading
            threading.Thread(target=write, daemon=True).start()
            heard = b""
            while heard.count(b"\\x42\\x83") < 8:
                more = app.recv(65536)
                if not more: sys.exit("it was hung up on: %r" % heard)
                heard += more
            """)
        defer { app.end(SIGKILL) }
        #expect(try peak() <= 64)
    }

    @Test func `memory stays bounded when many apps send unfinished requests, and other apps are served`()
        throws
    {
        let app = try play(
            """
            apps = [connect() for _ in range(40)]
            length = (1 << 21) - 1
            send(apps, length.to_bytes(3, "big") + b"\\x41" + b"\\x83" * (length - 1))
            """)
        defer { app.end(SIGKILL) }
        try machine.must("start", "org.example.editing", "--title", "Draft")
        #expect(try machine.list().count == 1)
        #expect(try peak() <= 64)
        // A waiting client gets memory once clients that only hold it have timed out.
        let items = (0..<20_000).map { "{\"item\":\"\($0)\"}" }.joined(separator: ",")
        try File.write("{\"index\":[\(items)]}\n", to: machine.home + "-lines")
        app.end(SIGKILL)
        let answer = try machine.type(["bash", "-c", "baton app org.example.notes <'\(machine.home)-lines'"])
        #expect(answer.output.contains("\"done\":true"), "\(answer)")
    }

    @Test func `memory stays bounded when many apps read no replies, and other apps are served`() throws {
        try machine.must(
            "start", "org.example.editing", "--title", "Draft", "--info",
            "x=" + String(repeating: "x", count: 100_000))
        let app = try play(
            """
            apps = [connect() for _ in range(40)]
            send(apps, b"".join(frame(0x41, b"\\x83" + bytes([number + 1]) + b"\\x04\\xa0") for number in range(16)))
            wait(apps)
            """)
        defer { app.end(SIGKILL) }
        #expect(try machine.must("status").contains("laptop"))
        #expect(try peak() <= 64)
    }

    @Test func `when too many programs are connected, short requests are served and others are refused`()
        throws
    {
        let app = try play("apps = [connect() for _ in range(300)]")
        defer { app.end(SIGKILL) }
        try machine.must("status")
        try machine.must("devices")
        let answer = try machine.baton("list")
        #expect(
            answer.status == 1 && answer.errors.contains("256 programs are connected to the node"),
            "\(answer)")
        app.end(SIGKILL)
        try eventually("room for others") { try machine.baton("list").status == 0 }
    }
}
