import Glibc
import Support
import Testing

/// Kills that cut the addition of an account short, on a machine with a running node: the account exists whole or not
/// at all, and the node goes on.
@Suite struct `Killing while an account is added` {
    @Test(arguments: [2, 4, 6, 8, 10, 12]) func `joining another account recovers from a kill at any step`(
        piece: Int
    ) throws {
        let folder = try TemporaryFolder()
        let account = try Account("laptop", "desktop", in: folder)
        let (laptop, desktop) = (account[0], account[1])
        try laptop.must(of: "work", "init", "--no-confirm", "--name", "laptop")
        let code = try #require(try laptop.json(of: "work", "invite", "--no-wait")["code"].string)
        let victim = Victim()
        let relay = try Relay(to: laptop.port, before: piece) { victim.killWorker() }
        let joining = try desktop.begin(
            ["baton", "join", code, "--at", relay.address, "--name", "desktop", "--account", "work"])
        victim.command = joining.number
        let status = try joining.wait()

        let what = "the joiner died before piece \(piece) of \(relay.pieces): \(joining.errors)"
        #expect(desktop.isNodeRunning, "\(what)")
        let isThere = try desktop.baton("status", "--account", "work").status == 0
        #expect(isThere || status != 0, "\(what)")
        if !isThere {
            expect(try desktop.baton("status", "--account", "work"), 18)
            try desktop.join(laptop, account: "work", as: "desktop", at: laptop.address)
        }
        try laptop.must(of: "work", "start", "x", "--title", "after all", "--instance", "here")
        try eventually("what was handed over; \(what); \(desktop.log)") {
            try desktop.json(of: "work", "list")["activities"].list.contains {
                $0["title"].string == "after all"
            }
        }
        try desktop.must("status", "--wait", "--timeout", "20")
    }

    @Test func `an account exists even if the command is killed before it notifies the node`() throws {
        let folder = try TemporaryFolder()
        let laptop = Machine("laptop", in: folder)
        try laptop.must("init", "--no-confirm")
        try laptop.startNode()
        // This is the program that `baton init` starts, before it would tell the node.
        let made = try laptop.type([
            Products.folder + "/baton-node", "init", "--name", "laptop", "--account", "work",
        ])
        #expect(made.status == 0, "\(made)")
        #expect(!laptop.log.contains("work: "))
        #expect(try laptop.json(of: "work", "status")["name"].string == "work")
        #expect(try laptop.accounts().count == 2)
    }

    @Test func `no account exists if the command is killed before the code is confirmed`() throws {
        let folder = try TemporaryFolder()
        let laptop = Machine("laptop", in: folder)
        try laptop.must("init", "--no-confirm")
        try laptop.startNode()
        let making = try laptop.begin(
            [Products.folder + "/baton-node", "init", "--name", "laptop", "--account", "work", "--confirm"],
            hasInput: true)
        try eventually("a recovery code") { !making.output.isEmpty }
        making.signal(SIGKILL)
        #expect(try making.wait() != 0)
        expect(try laptop.baton("status", "--account", "work"), 18)
        #expect(try laptop.accounts().count == 1)
        try laptop.must(of: "work", "init", "--no-confirm")
        try laptop.must(of: "work", "status")
    }
}
