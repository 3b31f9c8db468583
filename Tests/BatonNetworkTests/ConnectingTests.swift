import BatonNetwork
import Glibc
import Support
import Testing

@Suite struct `Connecting and listening` {
    /// Connects and waits for the outcome.
    private func outcome(
        of address: SocketAddress, within time: Duration = .seconds(10), on loop: EventLoop
    ) throws -> ConnectAttempt.Outcome {
        var outcome: ConnectAttempt.Outcome?
        try StreamConnection.connect(to: address, on: loop, deadline: loop.now + time) { outcome = $0 }
        #expect(outcome == nil, "the outcome was reported from within the call")
        loop.expect("the attempt has an outcome") { outcome != nil }
        return try #require(outcome)
    }

    /// The code of a failed outcome.
    private func code(_ outcome: ConnectAttempt.Outcome?) -> NetworkError.Code? {
        guard case .failure(let error)? = outcome else { return nil }
        return error.code
    }

    @Test func `listening at an address in use throws .addressInUse`() throws {
        try withLoop { loop in
            let first = try Listener(at: .loopback(port: 0), on: loop)
            let address = try #require(first.address)
            #expect(address.port != 0)
            let error = #expect(throws: NetworkError.self) { try Listener(at: address, on: loop) }
            #expect(error?.code == .addressInUse)
            try first.close()
            try Listener(at: address, on: loop).close()
        }
    }

    @Test func `a listener at the wildcard address accepts IPv4 and IPv6`() throws {
        try withLoop { loop in
            let listener = try Listener(at: .any(port: 0), on: loop)
            let port = try #require(listener.address?.port)
            var peers: [SocketAddress?] = []
            try listener.start(accepted: { peers.append($0.remoteAddress) })
            _ = try outcome(of: .loopback(port: port), on: loop).get()
            if listener.address?.host == SocketAddress.any(port: 0).host, try hasSixthVersion(loop) {
                _ = try outcome(of: SocketAddress(text: "[::1]:\(port)"), on: loop).get()
                loop.expect("both connections are accepted") { peers.count == 2 }
            }
            loop.expect("a connection is accepted") { !peers.isEmpty }
            #expect(peers[0]?.host == .version4(0x7f00_0001))
            try listener.close()
        }
    }

    /// Returns whether this machine has an IPv6 loopback address; many containers have none.
    private func hasSixthVersion(_ loop: EventLoop) throws -> Bool {
        do throws(NetworkError) {
            try Listener(at: SocketAddress(text: "[::1]:0"), on: loop).close()
            return true
        } catch  where error.code == .addressNotAvailable {
            return false
        }
    }

    @Test func `connecting to a port without a listener is refused`() throws {
        try withLoop { loop in
            let listener = try Listener(at: .loopback(port: 0), on: loop)
            let address = try #require(listener.address)
            try listener.close()
            #expect(try code(outcome(of: address, on: loop)) == .refused)
        }
    }

    @Test func `connecting to a listener with a full backlog times out`() throws {
        try withLoop { loop in
            let listener = try Listener(at: .loopback(port: 0), on: loop, backlog: 1)
            let address = try #require(listener.address)
            // None of these is accepted, so they fill the backlog.
            var waiting: [ConnectAttempt.Outcome] = []
            for _ in 0..<4 {
                try StreamConnection.connect(to: address, on: loop, deadline: loop.now + .seconds(60)) {
                    waiting.append($0)
                }
            }
            loop.expect("the backlog is full") { waiting.count >= 2 }
            let start = loop.now
            #expect(try code(outcome(of: address, within: .milliseconds(200), on: loop)) == .timedOut)
            #expect(loop.now - start >= .milliseconds(200))
            try listener.close()
        }
    }

    @Test func `a cancelled attempt calls no handler`() throws {
        try withLoop { loop in
            let listener = try Listener(at: .loopback(port: 0), on: loop)
            let address = try #require(listener.address)
            var isTold = false
            try StreamConnection.connect(to: address, on: loop, deadline: loop.now + .milliseconds(10)) { _ in
                isTold = true
            }.cancel()
            loop.run(for: .milliseconds(30))
            #expect(!isTold)
            try listener.close()
        }
    }

    @Test func `a dead process's socket file is replaced, and a live process's socket file is kept`() throws {
        try withLoop { loop in
            let folder = try TemporaryFolder()
            let path = folder.path + "/run/baton/socket"
            let live = try Listener(atUnix: path, on: loop)
            let error = #expect(throws: NetworkError.self) { try Listener(atUnix: path, on: loop) }
            #expect(error?.code == .addressInUse)
            try live.close()
            #expect(access(path, F_OK) != 0)

            // This socket is closed without removing its file, as when a process is killed.
            let stale = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let bound = withUnsafePointer(to: address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(stale, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            #expect(bound == 0)
            Glibc.close(stale)
            let next = try Listener(atUnix: path, on: loop)

            var status = stat()
            #expect(lstat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
            #expect(stat(folder.path + "/run/baton", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o700)
            try next.close()
        }
    }

    @Test func `a file that is not a socket is not replaced by a socket`() throws {
        try withLoop { loop in
            let folder = try TemporaryFolder()
            let path = folder.path + "/precious"
            Glibc.close(open(path, O_CREAT | O_WRONLY, 0o600))
            let error = #expect(throws: NetworkError.self) { try Listener(atUnix: path, on: loop) }
            #expect(error?.code == .addressInUse)
            #expect(access(path, F_OK) == 0)
        }
    }

    @Test func `closing a listener removes only the socket file that it made`() throws {
        try withLoop { loop in
            let folder = try TemporaryFolder()
            let path = folder.path + "/socket"
            let listener = try Listener(atUnix: path, on: loop)
            #expect(rename(path, path + ".moved") == 0)
            Glibc.close(open(path, O_CREAT | O_WRONLY, 0o600))
            try listener.close()
            #expect(access(path, F_OK) == 0)
            let again = try Listener(atUnix: folder.path + "/other", on: loop)
            #expect(unlink(folder.path + "/other") == 0)
            try again.close()
        }
    }

    @Test func `a socket path longer than a socket address can be used`() throws {
        try withLoop { loop in
            let folder = try TemporaryFolder()
            let path =
                folder.path + String(repeating: "/a-rather-long-name-of-a-folder", count: 8) + "/socket"
            #expect(path.utf8.count > 200)
            let listener = try Listener(atUnix: path, on: loop)
            var isAccepted = false
            try listener.start(accepted: { _ in isAccepted = true })
            var outcome: ConnectAttempt.Outcome?
            try StreamConnection.connect(toUnix: path, on: loop, deadline: loop.now + .seconds(5)) {
                outcome = $0
            }
            loop.expect("the connection is made") { isAccepted && outcome != nil }
            _ = try outcome?.get()
            try listener.close()
            #expect(access(path, F_OK) != 0)
        }
    }

    @Test(arguments: ["", "/", "/tmp/", "a\0b"])
    func `a malformed socket path is refused`(path: String) throws {
        try withLoop { loop in
            var outcome: ConnectAttempt.Outcome?
            try StreamConnection.connect(toUnix: path, on: loop, deadline: loop.now + .seconds(5)) {
                outcome = $0
            }
            loop.expect("the attempt has an outcome") { outcome != nil }
            #expect(code(outcome) == .malformed)
        }
    }

    @Test func `if no descriptor is free, connections wait, and the loop does not spin`() async {
        // The limit applies to a whole process, so the test runs in a process of its own.
        await #expect(processExitsWith: .success) {
            try withLoop { loop in
                let listener = try Listener(at: .loopback(port: 0), on: loop)
                let address = try #require(listener.address)
                var accepted: [StreamConnection] = []
                var troubles: [NetworkError.Code] = []
                try listener.start(accepted: { accepted.append($0) }, troubled: { troubles.append($0.code) })
                var outcome: ConnectAttempt.Outcome?
                try StreamConnection.connect(to: address, on: loop, deadline: loop.now + .seconds(10)) {
                    outcome = $0
                }
                var limit = rlimit()
                let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
                try #require(getrlimit(resource, &limit) == 0)
                let before = limit.rlim_cur
                limit.rlim_cur = 3
                try #require(setrlimit(resource, &limit) == 0)
                loop.run(for: .milliseconds(30))
                let wakeUps = loop.wakeUps
                loop.run(for: .milliseconds(450))
                try #require(loop.wakeUps - wakeUps <= 7)
                try #require(accepted.isEmpty && troubles.contains(.exhausted) && outcome != nil)
                limit.rlim_cur = before
                try #require(setrlimit(resource, &limit) == 0)
                try #require(loop.run(until: loop.now + .seconds(10)) { accepted.count == 1 })
                try #require(OpenFileLimit.raise() >= before)
            }
        }
    }
}

@Suite struct `Unix connection` {
    @Test func `a connection sends, receives, times out and reports the end of the stream`() throws {
        let folder = try TemporaryFolder()
        let server = try EchoServer(folder.path + "/socket")
        let deadline = MonotonicTime.now + .seconds(20)
        let connection = try UnixConnection(to: folder.path + "/socket", deadline: deadline)
        let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0) }
        var got: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
            try connection.send(Array(bytes[start..<(start + 1 << 16)]), deadline: deadline)
            while got.count < start + 1 << 16 {
                got += try connection.receive(upTo: 1000, deadline: deadline)
            }
        }
        #expect(got == bytes)
        let error = #expect(throws: NetworkError.self) {
            try connection.receive(upTo: 1, deadline: .now + .milliseconds(20))
        }
        #expect(error?.code == .timedOut)
        server.finish()
        #expect(try connection.receive(upTo: 1, deadline: deadline).isEmpty)
    }

    @Test func `connecting to a missing socket fails immediately`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: NetworkError.self) {
            _ = try UnixConnection(to: folder.path + "/none", deadline: .now + .seconds(10))
        }
        #expect(error?.code == .notFound)
    }
}

/// A server on a thread of its own, which echoes what it receives.
private final class EchoServer {
    private let worker: WorkerThread<String>
    private let stop: Mailbox<Void>

    init(_ path: String) throws {
        let (worker, stop) = try EchoServer.start(path)
        (self.worker, self.stop) = (worker, stop)
    }

    func finish() {
        stop.post(())
        worker.finish()
    }

    private static func start(_ path: String) throws -> (WorkerThread<String>, Mailbox<Void>) {
        try withLoopResult { loop in
            var ready: Mailbox<Void>?
            let answers = try loop.mailbox { (mailbox: Mailbox<Void>) in ready = mailbox }
            let worker = try WorkerThread<String>(name: "test-echo") {
                { paths in for path in paths { serve(path, answers) } }
            }
            worker.submit(path)
            loop.expect("the server is running") { ready != nil }
            return (worker, try #require(ready))
        }
    }

    private static func serve(_ path: String, _ answers: Mailbox<Mailbox<Void>>) {
        do {
            try withLoop { loop in
                let listener = try Listener(atUnix: path, on: loop)
                try listener.start(accepted: { connection in
                    do {
                        try connection.start(
                            .init(
                                received: { connection.send([UInt8](copying: $0)) }, ended: { _ in }))
                    } catch { Issue.record(error) }
                })
                answers.post(try loop.mailbox { loop.stop() })
                loop.run()
                try listener.close()
            }
        } catch { Issue.record(error) }
    }
}
