import BatonClient
import BatonCore
import Glibc
import Support
import Testing

@Suite struct `A connection to a node` {
    @Test func `requests are answered one after another`() throws {
        let node = try FakeNode { request in
            request is ListActivities
                ? .reply(ActivitiesReply([Example.summary()], isLast: true)) : .reply(Example.status([]))
        }
        var connection = try NodeConnection(try node.home)
        #expect(try connection.activities() == [Example.summary()])
        #expect(try connection.ask(GetStatus()) == Example.status([]))
        #expect(connection.node?.process == 4711)
        #expect(node.calls.equals(ListActivities(), GetStatus()))
    }

    @Test func `a failure of the node is thrown`() throws {
        let node = try FakeNode { _ in .failure(LocalFailure(.notFound, "Nothing fits.")) }
        #expect(try ask(node) == LocalFailure(.notFound, "Nothing fits."))
    }

    @Test func `a missing node and a missing account are told apart`() throws {
        let folder = try TemporaryFolder()
        let home = try Home(option: folder.path) { _ in nil }
        let empty = failure { () throws(LocalFailure) in try NodeConnection(home) }
        #expect(empty?.code == .notInitialised)
        #expect(empty?.text.contains("`baton init --home \(folder.path)`") == true)
        try folder.makeIdentity()
        let stopped = failure { () throws(LocalFailure) in try NodeConnection(home) }
        #expect(stopped?.code == .noNode)
        #expect(stopped?.text.contains("`baton node --home \(folder.path)`") == true)
    }

    @Test func `a socket without a node counts as no node`() throws {
        let folder = try TemporaryFolder()
        let home = try Home(option: folder.path) { _ in nil }
        do {
            let node = try FakeNode { _ in nil }
            try folder.makeIdentity()
            try folder.makeFolder("run")
            try #require(rename(node.folder.path + "/run/node.sock", home.socket) == 0)
        }
        #expect(failure { () throws(LocalFailure) in try NodeConnection(home) }?.code == .noNode)
    }

    @Test(arguments: [0, 2, UInt64.max])
    func `a node of another version is refused, with advice`(version: UInt64) throws {
        let hello = LocalHello(version: version, build: "9.9\u{1b}[2J", process: 4711).frame
        let node = try FakeNode(hello: hello) { _ in nil }
        #expect(try ask(node)?.code == .versionMismatch)
        for words in [["list"], ["status"], ["start", "x"]] {
            let typed = Typed(words + ["--home", node.folder.path])
            #expect(typed.status == 12 && typed.errors.contains("4711"), "\(typed)")
            #expect(
                typed.errors.contains("9.9\\u{1b}[2J") && typed.errors.contains("baton node"), "\(typed)")
        }
    }

    @Test(
        arguments: [
            [], [0, 0, 0, 0x42], [0xff, 0xff, 0xff, 0x40], Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8),
        ] as [[UInt8]])
    func `an answer from something other than a node is refused`(bytes: [UInt8]) throws {
        let folder = try TemporaryFolder()
        try folder.makeIdentity()
        try folder.makeFolder("run")
        let server = try Listening(atUnix: folder.path + "/run/node.sock")
        server.serve { connection in
            _ = connection.read()
            connection.write(bytes)
        }
        let typed = Typed(["list", "--home", folder.path])
        #expect(typed.status == 1 && typed.errors.hasPrefix("baton: "), "\(typed)")
    }

    @Test func `a node that does not know the named account is refused`() throws {
        let node = try FakeNode { _ in .reply(ActivitiesReply([], isLast: true)) }
        let home = try node.home.of(AccountName("work"))
        let answer = failure { () throws(LocalFailure) in
            var connection = try NodeConnection(home)
            _ = try connection.activities()
        }
        #expect(answer?.code == .versionMismatch)
        #expect(try ask(node) == nil, "who names none is served")
    }

    @Test(arguments: [
        DevicesReply([]).frame(number: 1), Frame(kind: .localHello, body: [0xff]),
        Frame(kind: .batch, body: []),
        CloseReason(.busy, "too many are connected").frame,
    ]) func `a malformed opening message is refused`(opening: Frame) throws {
        #expect(
            try ask(try FakeNode(hello: opening) { _ in .reply(ActivitiesReply([], isLast: true)) })?.code
                == .failed)
    }

    @Test func `a connection that the node closes is an error`() throws {
        #expect(try ask(try FakeNode { _ in nil })?.text.contains("before it answered") == true)
    }

    @Test func `an answer of the wrong kind is refused`() throws {
        #expect(try ask(try FakeNode { _ in .reply(DevicesReply([])) })?.code == .failed)
    }

    @Test func `a request times out`() throws {
        let node = try FakeNode(hello: nil) { _ in nil }
        var connection = try NodeConnection(try node.home)
        let answer = silentFailure(&connection)
        #expect(answer?.code == .failed && answer?.text.contains("did not answer") == true)
    }

    private func silentFailure(_ connection: inout NodeConnection) -> LocalFailure? {
        do throws(LocalFailure) {
            _ = try connection.ask(ListActivities(), within: .milliseconds(20))
            return nil
        } catch {
            return error
        }
    }

    /// The failure of a request for a list.
    private func ask(_ node: FakeNode) throws -> LocalFailure? {
        var connection = try NodeConnection(try node.home)
        do throws(LocalFailure) {
            _ = try connection.activities()
            return nil
        } catch {
            return error
        }
    }
}

@Suite struct `The node's program` {
    @Test func `the program's answer or failure is returned`() throws {
        let reply = NewAccountReply(Example.account, Example.laptop, recoveryCode: "abcd")
        #expect(try run("printf '\(octal(reply.frame(number: 0).encoded))'") == reply)
        let refusal = LocalAnswer.frame(LocalFailure(.alreadyInitialised, "There is one."), number: 0)
        let failed = failure { () throws(LocalFailure) in
            try ask("printf '\(octal(refusal.encoded))'; exit 5")
        }
        #expect(failed == LocalFailure(.alreadyInitialised, "There is one."))
    }

    @Test(arguments: [
        ("exit 3", "it ended with status 3"), ("kill -9 $$", "ended by signal 9"),
        ("echo hello there", "an invalid answer"),
        ("printf '\\000\\000'", "no answer"),
    ]) func `a program that ends without an answer is reported with its status`(script: String, text: String)
    {
        let failed = failure { () throws(LocalFailure) in try ask(script) }
        #expect(failed?.code == .failed)
        #expect(failed?.text.contains(text) == true, "\(failed?.text ?? "no failure")")
    }

    @Test func `arguments reach the program unchanged`() throws {
        let folder = try TemporaryFolder()
        let program = NodeProgram(
            path: try folder.makeProgram("node", "#!/bin/sh\nprintf '%s|' \"$@\" >&2; exit 7\n"))
        let failed = failure { () throws(LocalFailure) in try program.reply(to: ["--name", ""], Done.self) }
        #expect(failed?.text.contains("status 7") == true)
    }

    @Test func `a missing program is reported`() {
        let failed = failure { () throws(LocalFailure) in
            try NodeProgram(path: "/nonexistent/baton-node").reply(to: [], Done.self)
        }
        #expect(failed?.text.contains("can't be started") == true)
    }

    private func run(_ script: String) throws -> NewAccountReply { try ask(script) }

    private func ask(_ script: String) throws(LocalFailure) -> NewAccountReply {
        do {
            let folder = try TemporaryFolder()
            let path = try folder.makeProgram("node", "#!/bin/sh\n" + script + "\n")
            return try NodeProgram(path: path).reply(to: ["init"])
        } catch let error as LocalFailure {
            throw error
        } catch {
            throw LocalFailure(.storage, "\(error)")
        }
    }

    /// Bytes in the form that every shell's `printf` accepts.
    private func octal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }.joined()
    }
}
