import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore
import CSQLite
import Foundation
import Glibc
import Support
import Testing

@testable import BatonNode

/// A node with two accounts, in this process.
@Suite struct `A node with two accounts` {
    private let folder: TemporaryFolder
    private let home: Home

    init() throws {
        folder = try TemporaryFolder()
        home = try RunningNode.home(folder)
        for name in ["default", "work"] { _ = try home.of(AccountName(name)).makeAccount(name: name) }
    }

    private func work() throws -> Home { home.of(try AccountName("work")) }

    private func hello(_ account: String?) -> Frame {
        LocalHello(build: Build.version, process: getpid(), account: account).frame
    }

    private func ask<Call: LocalCall>(
        _ call: Call, of account: String?
    ) throws -> Result<Call.Reply, LocalFailure> {
        var peer = try LocalPeer(home, hello: hello(account))
        return try peer.ask(call)
    }

    @Test func `serves the one that a connection names, and repeats the name`() throws {
        let node = try RunningNode(folder)
        for (named, meant) in [(nil, "default"), ("default", "default"), ("work", "work")]
            as [(String?, String)]
        {
            var peer = try LocalPeer(node.home, hello: hello(named))
            try peer.send(GetStatus().frame(number: 1).encoded)
            #expect(try LocalHello(try #require(try peer.next())).account == named)
            let status = try LocalAnswer(try #require(try peer.next())).result(NodeStatus.self).get()
            #expect(status.accountName == meant && status.device.name == meant)
        }
        for named in ["play", "../default", ""] {
            guard case .failure(let failure) = try ask(GetStatus(), of: named) else {
                return #expect(Bool(false), "\(named) is none")
            }
            #expect([.unknownAccount, .usage].contains(failure.code), "\(failure)")
        }
    }

    @Test func `serves the other one while one has a store that is newer`() throws {
        let earlier = try RunningNode(folder)
        guard case .success = try ask(GetStatus(), of: "work") else {
            return #expect(Bool(false), "it is served")
        }
        earlier.stop()
        let (path, files) = (try work().account(), try CheckedFileSystem(over: nil))
        withExtendedLifetime(files) {
            var handle: OpaquePointer?
            let flags = SQLITE_OPEN_READWRITE
            #expect(sqlite3_open_v2(path + "/index.sqlite", &handle, flags, files.name) == SQLITE_OK)
            #expect(sqlite3_exec(handle, "PRAGMA user_version = 99", nil, nil, nil) == SQLITE_OK)
            sqlite3_close(handle)
        }
        let node = try RunningNode(folder)
        guard case .failure(let failure) = try ask(GetStatus(), of: "work") else {
            return #expect(Bool(false), "it can't be opened: \(node.lines)")
        }
        #expect(failure.code == .storage && failure.text.contains(path), "\(failure)")
        guard case .success = try ask(GetStatus(), of: nil) else {
            return #expect(Bool(false), "it is served")
        }
        #expect(node.lines.contains { $0.hasPrefix("work: the account is not served: ") })
        guard case .success(let accounts) = try ask(ListAccounts(), of: nil).map(\.accounts) else {
            return #expect(Bool(false), "two accounts")
        }
        #expect(accounts.map { $0.trouble == nil } == [true, false])
    }

    @Test func `serves neither under two names where both are one account`() throws {
        try FileManager.default.removeItem(atPath: try work().account())
        // A copy of the folder is the same device of the same account.
        try FileManager.default.copyItem(atPath: home.account(), toPath: try work().account())
        let node = try RunningNode(folder)
        guard case .success(let accounts) = try ask(ListAccounts(), of: nil).map(\.accounts) else {
            return #expect(Bool(false), "two accounts: \(node.lines)")
        }
        #expect(accounts.map { $0.trouble == nil } == [true, false])
        #expect(accounts[1].trouble?.contains("“default”") == true, "\(accounts)")
    }

    @Test func `closes one for good, and goes on with the other`() throws {
        let node = try Node(
            home, listen: [try SocketAddress(text: "127.0.0.1:0")], log: Log { _ in })
        var steps: [String] = []
        node.loop.schedule(after: .milliseconds(1)) { self.closeWork(of: node) { steps.append($0) } }
        try node.run()
        #expect(steps == ["both open", "closed", "gone", "default is open", "work came back"])
    }

    /// Closes one account once both are open, opens it again as if somebody asked, and stops.
    private func closeWork(of node: Node, _ note: @escaping (String) -> Void) {
        guard node.accounts.count == 2, node.accounts.allSatisfy({ $0.account != nil }) else {
            node.loop.schedule(after: .milliseconds(1)) { closeWork(of: node, note) }
            return
        }
        note("both open")
        let work = node.accounts[1]
        work.close(CloseReason(.goingAway, "the test is over with it")) { _ in
            note("closed")
            node.loop.afterTurn {
                if node.accounts.map(\.name.text) == ["default"] { note("gone") }
                if node.accounts[0].account != nil { note("default is open") }
                node.takeUpAccounts()
                reopened(node, note)
            }
        }
    }

    private func reopened(_ node: Node, _ note: @escaping (String) -> Void) {
        guard node.accounts.allSatisfy({ !$0.isOpening }) else {
            node.loop.schedule(after: .milliseconds(1)) { reopened(node, note) }
            return
        }
        if node.accounts.count == 2, node.accounts[1].account != nil { note("work came back") }
        node.stop()
    }

    @Test func `ends once the last one is closed`() throws {
        try FileManager.default.removeItem(atPath: try work().account())
        let node = try Node(
            home, listen: [try SocketAddress(text: "127.0.0.1:0")], log: Log { _ in })
        node.loop.schedule(after: .milliseconds(1)) { closeAll(of: node) }
        try node.run()
        #expect(node.accounts.isEmpty)
    }

    private func closeAll(of node: Node) {
        guard node.accounts.allSatisfy({ $0.account != nil }) else {
            node.loop.schedule(after: .milliseconds(1)) { closeAll(of: node) }
            return
        }
        for account in node.accounts { account.close(CloseReason(.goingAway, "all is over")) { _ in } }
    }
}
