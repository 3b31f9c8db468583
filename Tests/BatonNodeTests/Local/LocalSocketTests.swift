import BatonCore
import BatonNode
import Foundation
import Support
import Testing

/// The socket for the requests of apps and commands.
@Suite struct `The local socket` {
    @Test func `a client of another protocol version is sent the node's version, and disconnected`()
        throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        for version: UInt64 in [0, 2, .max] {
            var peer = try LocalPeer(
                node.home, hello: LocalHello(version: version, build: "other", process: 1).frame)
            let hello = try LocalHello(try #require(try peer.next()))
            #expect(hello.version == LocalHello.version && hello.build == Build.version)
            guard case .close(let reason) = try PeerMessage(try #require(try peer.next())) else {
                return #expect(Bool(false), "no close with a reason")
            }
            #expect(reason.code == .version)
            #expect(try peer.next() == nil)
        }
    }

    @Test func `a request of a newer version is answered with a failure, and later requests are performed`()
        throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var peer = try node.connect()
        let unknown = Frame(kind: .localRequest, body: [UInt8](hex: "83 07 1903e8 f6"))
        guard case .failure(let failure) = try peer.answer(to: unknown).result(Done.self) else {
            return #expect(Bool(false), "an unknown request succeeded")
        }
        #expect(failure.code == .versionMismatch)
        guard case .success = try peer.ask(GetStatus()) else {
            return #expect(Bool(false), "the connection was closed")
        }
    }

    @Test(
        arguments: [
            Array("GET / HTTP/1.1\r\n\r\n".utf8), [0xff, 0xff, 0xff, 0x40], [0, 0, 0, 0x41],
            [0, 0, 1, 0x40, 0xff],
            [0, 0, 0, 0x01],
        ] as [[UInt8]])
    func `a client without a valid hello is sent a reason, and disconnected`(bytes: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var peer = try LocalPeer(node.home, hello: nil)
        try peer.send(bytes)
        let frame = try #require(try peer.next())
        #expect(frame.kind == .close)
        #expect(try peer.next() == nil)
        #expect(node.lines.contains { $0.contains("closed a local connection") })
        guard case .success = try node.ask(GetStatus()) else {
            return #expect(Bool(false), "another client is not served")
        }
    }

    @Test func `only the node's user can connect to the local socket`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        let attributes = try FileManager.default.attributesOfItem(atPath: node.home.socket)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func `while too many programs are connected, only short requests are answered`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { ($0.localConnections, $0.localSpareConnections) = (2, 1) }
        do {
            var first = try node.connect()
            var second = try node.connect()
            _ = try first.ask(GetStatus())
            _ = try second.ask(GetStatus())
            guard case .success = try node.ask(GetStatus()) else {
                return #expect(Bool(false), "status was not answered")
            }
            guard case .failure(let failure) = try node.ask(ListActivities()) else {
                return #expect(Bool(false), "a request beyond the limit was answered")
            }
            #expect(failure.text.contains("2 programs are connected"))
            // The oldest idle connection is closed with a reason, to make room for the next one.
            var idle = try node.connect()
            #expect(try idle.next()?.kind == .localHello)
            guard case .success = try node.ask(GetStatus()) else {
                return #expect(Bool(false), "status was not answered")
            }
            guard let frame = try idle.next(), case .close(let reason) = try PeerMessage(frame) else {
                return #expect(Bool(false), "the connection was closed without a reason")
            }
            #expect(reason.code == .busy && reason.text.contains("2 programs are connected"))
            _ = try first.ask(GetStatus())
        }
        try eventually("room for another") {
            if case .success = try? node.ask(ListActivities()) { true } else { false }
        }
    }

    @Test func `many simultaneous requests are all answered in order`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var peer = try node.connect()
        var questions: [UInt8] = []
        for number: UInt64 in 1...500 { questions += try ListDevices().frame(number: number).encoded }
        try peer.send(questions)
        _ = try peer.next()
        for number: UInt64 in 1...500 {
            #expect(try LocalAnswer(try #require(try peer.next())).number == number)
        }
    }

    @Test func `a node whose store can't be opened exits with a message that names the file`() throws {
        let folder = try TemporaryFolder()
        let home = try RunningNode.home(folder)
        _ = try home.makeAccount(name: "first")
        // There is a folder in the place of the database.
        try FileManager.default.createDirectory(
            atPath: home.account() + "/activities.sqlite", withIntermediateDirectories: false)
        let error = #expect(throws: LocalFailure.self) { try RunningNode(folder) }
        #expect(
            error?.code == .storage && error?.text.contains("activities.sqlite") == true,
            "\(error.map { "\($0)" } ?? "")")
    }

    @Test func `a node quarantines a database file that is not a database, and starts`() throws {
        let folder = try TemporaryFolder()
        let home = try RunningNode.home(folder)
        _ = try home.makeAccount(name: "first")
        let path = home.account() + "/activities.sqlite"
        try File.write("this is no database", to: path)
        let node = try RunningNode(folder)
        guard case .success(let status) = try node.ask(GetStatus()) else {
            throw DeadlinePassed(description: "no status")
        }
        #expect(status.troubles.count == 1 && status.troubles[0].contains(path + ".damaged-"))
    }
}
