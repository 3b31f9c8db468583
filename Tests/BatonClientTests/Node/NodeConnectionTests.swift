import BatonClient
import BatonCore
import ClientSupport
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

    @Test func `a missing account and a stopped node are reported as different failures`() throws {
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

    @Test func `a socket file that no node listens on is reported as no node`() throws {
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
    func `a node of another version is refused`(version: UInt64) throws {
        let hello = LocalHello(version: version, build: "9.9", process: 4711).frame
        let node = try FakeNode(hello: hello) { _ in nil }
        #expect(try ask(node)?.code == .versionMismatch)
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
