import BatonCore
import BatonNetwork
import BatonSecurity
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

    @Test func `a connection is served by the account that it names, or by default if it names none`() throws
    {
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
                return #expect(Bool(false), "there is no account \(named)")
            }
            #expect([.unknownAccount, .usage].contains(failure.code), "\(failure)")
        }
    }

    @Test func `an account whose store has a newer schema is refused, and the other account is served`()
        throws
    {
        let earlier = try RunningNode(folder)
        guard case .success = try ask(GetStatus(), of: "work") else {
            return #expect(Bool(false), "the account is not served")
        }
        earlier.stop()
        let path = try work().account()
        try SQLiteScript.run("PRAGMA user_version = 99", on: path + "/index.sqlite")
        let node = try RunningNode(folder)
        guard case .failure(let failure) = try ask(GetStatus(), of: "work") else {
            return #expect(Bool(false), "an account of a newer version was opened: \(node.lines)")
        }
        #expect(failure.code == .storage && failure.text.contains(path), "\(failure)")
        guard case .success = try ask(GetStatus(), of: nil) else {
            return #expect(Bool(false), "the account is not served")
        }
        #expect(node.lines.contains { $0.hasPrefix("work: can't open the account: ") })
        guard case .success(let accounts) = try ask(ListAccounts(), of: nil).map(\.accounts) else {
            return #expect(Bool(false), "the accounts were not listed")
        }
        #expect(accounts.map { $0.trouble == nil } == [true, false])
    }

    @Test func `a copy of an account under another name is not served`() throws {
        try FileManager.default.removeItem(atPath: try work().account())
        // A copy of the folder is the same device of the same account.
        try FileManager.default.copyItem(atPath: home.account(), toPath: try work().account())
        let node = try RunningNode(folder)
        guard case .success(let accounts) = try ask(ListAccounts(), of: nil).map(\.accounts) else {
            return #expect(Bool(false), "the accounts were not listed: \(node.lines)")
        }
        #expect(accounts.map { $0.trouble == nil } == [true, false])
        #expect(accounts[1].trouble?.contains("“default”") == true, "\(accounts)")
    }

    @Test func `closing one account leaves the other open, and the closed one can be opened again`() throws {
        let node = try Node(
            home, listen: [try SocketAddress(text: "127.0.0.1:0")], log: Log { _ in })
        var steps: [String] = []
        node.loop.schedule(after: .milliseconds(1)) { self.closeWork(of: node) { steps.append($0) } }
        _ = try node.run()
        #expect(steps == ["both open", "closed", "gone", "default is open", "work came back"])
    }

    /// Closes one account once both are open, opens it again as a request would, and stops the node.
    private func closeWork(of node: Node, _ note: @escaping (String) -> Void) {
        guard node.accounts.count == 2, node.accounts.allSatisfy({ $0.account != nil }) else {
            node.loop.schedule(after: .milliseconds(1)) { closeWork(of: node, note) }
            return
        }
        note("both open")
        let work = node.accounts[1]
        work.close(CloseReason(.goingAway, "closed by the test")) { _ in
            note("closed")
            node.loop.afterTurn {
                if node.accounts.map(\.name.text) == ["default"] { note("gone") }
                if node.accounts[0].account != nil { note("default is open") }
                node.takeUpAccounts()
                stopOnceReopened(node, note)
            }
        }
    }

    private func stopOnceReopened(_ node: Node, _ note: @escaping (String) -> Void) {
        guard node.accounts.allSatisfy({ !$0.isOpening }) else {
            node.loop.schedule(after: .milliseconds(1)) { stopOnceReopened(node, note) }
            return
        }
        if node.accounts.count == 2, node.accounts[1].account != nil { note("work came back") }
        node.stop()
    }

    @Test func `a node ends once its last account is closed`() throws {
        try FileManager.default.removeItem(atPath: try work().account())
        let node = try Node(
            home, listen: [try SocketAddress(text: "127.0.0.1:0")], log: Log { _ in })
        node.loop.schedule(after: .milliseconds(1)) { closeAll(of: node) }
        _ = try node.run()
        #expect(node.accounts.isEmpty)
    }

    private func closeAll(of node: Node) {
        guard node.accounts.allSatisfy({ $0.account != nil }) else {
            node.loop.schedule(after: .milliseconds(1)) { closeAll(of: node) }
            return
        }
        for account in node.accounts { account.close(CloseReason(.goingAway, "closed by the test")) { _ in } }
    }
}
