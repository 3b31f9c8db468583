import BatonClient
import BatonCore
import Glibc
import Support
import Testing

@Suite struct `A connection to a node` {
    @Test func `asks one thing after another`() throws {
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

    @Test func `throws what the node could not do`() throws {
        let node = try FakeNode { _ in .failure(LocalFailure(.notFound, "Nothing fits.")) }
        #expect(try ask(node) == LocalFailure(.notFound, "Nothing fits."))
    }

    @Test func `says where there is no node`() throws {
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

    @Test func `says that a node which left its socket behind is gone`() throws {
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

    @Test func `ends where the node is of another version, with advice`() throws {
        let hello = LocalHello(version: 99, build: "9.9", process: 1).frame
        let answer = try ask(try FakeNode(hello: hello) { _ in nil })
        #expect(answer?.code == .versionMismatch)
        #expect(answer?.text.contains("9.9") == true && answer?.text.contains("baton node") == true)
    }

    @Test func `ends where the node knows no names of accounts, and one was named`() throws {
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
    ]) func `ends where the node opens with nonsense or closes`(opening: Frame) throws {
        #expect(
            try ask(try FakeNode(hello: opening) { _ in .reply(ActivitiesReply([], isLast: true)) })?.code
                == .failed)
    }

    @Test func `ends where the node hangs up`() throws {
        #expect(try ask(try FakeNode { _ in nil })?.text.contains("before it answered") == true)
    }

    @Test func `ends where the answer is of the wrong kind`() throws {
        #expect(try ask(try FakeNode { _ in .reply(DevicesReply([])) })?.code == .failed)
    }

    @Test func `waits no longer than it may`() throws {
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

    /// The failure with which a list of activities ends.
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
    @Test func `gives one answer, which may be a failure`() throws {
        let reply = NewAccountReply(Example.account, Example.laptop, recoveryCode: "abcd")
        #expect(try run("printf '\(octal(reply.frame(number: 0).encoded))'") == reply)
        let refusal = LocalAnswer.frame(LocalFailure(.alreadyInitialised, "There is one."), number: 0)
        let failed = failure { () throws(LocalFailure) in
            try ask("printf '\(octal(refusal.encoded))'; exit 5")
        }
        #expect(failed == LocalFailure(.alreadyInitialised, "There is one."))
    }

    @Test(arguments: [
        ("exit 3", "it ended with status 3"), ("kill -9 $$", "signal 9 ended it"),
        ("echo hello there", "no sense"),
        ("printf '\\000\\000'", "no answer"),
    ]) func `that gives none is told with how it ended`(script: String, text: String) {
        let failed = failure { () throws(LocalFailure) in try ask(script) }
        #expect(failed?.code == .failed)
        #expect(failed?.text.contains(text) == true, "\(failed?.text ?? "no failure")")
    }

    @Test func `gets its arguments as they are`() throws {
        let folder = try TemporaryFolder()
        let program = NodeProgram(
            path: try folder.makeProgram("node", "#!/bin/sh\nprintf '%s|' \"$@\" >&2; exit 7\n"))
        let failed = failure { () throws(LocalFailure) in try program.reply(to: ["--name", ""], Done.self) }
        #expect(failed?.text.contains("status 7") == true)
    }

    @Test func `that is not there is told`() {
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

    /// Bytes as `printf` of any shell takes them.
    private func octal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }.joined()
    }
}
