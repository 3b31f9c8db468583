import Foundation
import Support
import Testing

/// Commands with several accounts on one machine.
@Suite struct `Several accounts on one machine` {
    private let folder: TemporaryFolder
    private let laptop: Machine

    init() throws {
        folder = try TemporaryFolder()
        laptop = Machine("laptop", in: folder)
    }

    @Test func `an account name that does not exist here is refused with the existing names`() throws {
        try laptop.must("init", "--no-confirm")
        try laptop.startNode()
        let one = try laptop.baton("list", "--account", "work")
        #expect(one.status == 18 && one.errors.contains("“work” here; the only one is “default”."), "\(one)")
        try laptop.must(of: "club", "init", "--no-confirm")
        let two = try laptop.baton("list", "--account", "work")
        #expect(two.errors.contains("the accounts are “club”, “default”."), "\(two)")
    }

    @Test func `an account created while the node runs is served immediately`() throws {
        try laptop.must("init", "--no-confirm", "--name", "one")
        try laptop.startNode()
        let said = try laptop.must(of: "work", "init", "--no-confirm", "--name", "two")
        #expect(said.contains("The running node serves it. Add another machine"))
        #expect(said.contains("`baton invite --account work`"))
        #expect(try laptop.json(of: "work", "status")["device"]["name"].string == "two")
        #expect(try laptop.json("status")["device"]["name"].string == "one")
        let accounts = try laptop.accounts()
        #expect(accounts.compactMap(\.["name"].string) == ["default", "work"])
        #expect(accounts.map(\.["default"].boolean) == [true, false])
        #expect(accounts.allSatisfy { $0["devices"].integer == 1 && $0["trouble"] == .null })
        let table = try laptop.must("accounts")
        #expect(table.contains("default (default)") && table.contains("work"))
        // The same holds after a restart.
        #expect(try laptop.stopNode() == 0)
        try laptop.startNode()
        #expect(try laptop.json(of: "work", "status")["name"].string == "work")
    }

    @Test func `an account joined while both nodes run is served immediately`() throws {
        let account = try Account("desktop", "laptop", in: folder)
        let (desktop, laptop) = (account[0], account[1])
        try desktop.must(of: "work", "init", "--no-confirm", "--name", "desktop")
        try laptop.join(desktop, account: "work", as: "laptop", at: desktop.address)
        try laptop.waitUntilInStep(account: "work", with: 1)
        try desktop.must(of: "work", "start", "x", "--title", "at work", "--instance", "here")
        try eventually("it at the other machine") {
            try laptop.json(of: "work", "list")["activities"].list.contains {
                $0["title"].string == "at work"
            }
        }
        #expect(try laptop.list().isEmpty)
        #expect(try laptop.accounts().map(\.["connected"].integer) == [1, 1])
        // The port could not tell the same account under two names apart.
        let code = try #require(try desktop.json(of: "work", "invite", "--no-wait")["code"].string)
        let again = try laptop.baton(
            "join", code, "--at", desktop.address, "--account", "again", "--name", "laptop")
        expect(again, 5, advice: "baton status --account work")
        #expect(try laptop.accounts().count == 2)
    }

    @Test func `if no account is named, commands use the only account, or the account called default`() throws
    {
        try laptop.must(of: "work", "init", "--no-confirm", "--name", "two")
        try laptop.startNode()
        #expect(try laptop.json("status")["name"].string == "work")
        // Otherwise commands without a name would suddenly mean another account.
        expect(try laptop.baton("init", "--no-confirm"), 5, advice: "baton status --account work")
        try laptop.must(of: "private", "init", "--no-confirm", "--name", "three")
        let several = try laptop.baton("status")
        expect(several, 18)
        #expect(several.errors.contains("“private”, “work”") && several.errors.contains("--account NAME"))
        try laptop.must(of: "default", "init", "--no-confirm", "--name", "one")
        #expect(try laptop.json("status")["name"].string == "default")
    }

    @Test func `an unknown account is reported together with the known ones`() throws {
        try laptop.must("init", "--no-confirm")
        try laptop.startNode()
        let answer = try laptop.baton("list", "--account", "play")
        expect(answer, 18, advice: "baton accounts")
        #expect(answer.errors.contains("“play”") && answer.errors.contains("“default”"))
    }

    @Test(arguments: ["", "..", "../default", "a/b", "a b", "é", "a.b", String(repeating: "x", count: 33)])
    func `a malformed account name is refused`(name: String) throws {
        for words in [["status"], ["init", "--no-confirm"], ["join", "a-b-c", "--at", "127.0.0.1:1"]] {
            let answer = try laptop.type(["baton"] + words + ["--account", name])
            expect(answer, 2)
            #expect(answer.errors.contains("can't be the name of an account"), "\(answer)")
        }
        #expect(!FileManager.default.fileExists(atPath: laptop.home))
    }

    @Test func `--account overrides BATON_ACCOUNT`() throws {
        try laptop.must("init", "--no-confirm")
        try laptop.must(of: "work", "init", "--no-confirm")
        try laptop.startNode()
        let status = ["env", "BATON_ACCOUNT=work", "baton", "status", "--json"]
        #expect(try JSONValue(laptop.type(status).output)["name"].string == "work")
        let other = try laptop.type(status + ["--account", "default"])
        #expect(try JSONValue(other.output)["name"].string == "default")
        // The variable does not affect a command that is not about one account.
        #expect(try laptop.type(["env", "BATON_ACCOUNT=none", "baton", "accounts"]).status == 0)
        expect(try laptop.baton("accounts", "--account", "work"), 2)
    }

    @Test func `only one account can invite at a time`() throws {
        try laptop.must("init", "--no-confirm")
        try laptop.must(of: "work", "init", "--no-confirm", "--name", "inviter")
        try laptop.startNode()
        let code = try #require(try laptop.json(of: "work", "invite", "--no-wait")["code"].string)
        let refused = try laptop.baton("invite", "--no-wait")
        expect(refused, 1, advice: "baton invite --cancel --account work")
        #expect(refused.errors.contains("“work” has an open invitation"))
        // An invitation of the same account is replaced, as usual.
        let newer = try #require(try laptop.json(of: "work", "invite", "--no-wait")["code"].string)
        #expect(newer != code)
        #expect(try laptop.must(of: "work", "invite", "--cancel").contains("is closed"))
        expect(try laptop.baton("invite", "--cancel", "--account", "work"), 9)
        let desktop = Machine("desktop", in: folder)
        expect(try desktop.baton("join", newer, "--at", laptop.address), 9, advice: "baton invite")
        let free = try laptop.invite()
        try desktop.must("join", free, "--at", laptop.address, "--name", "desktop")
        #expect(try desktop.must("init", "--help").contains("--account NAME"))
        try desktop.startNode()
        let own = try laptop.json(of: "default", "status")["account"].string
        #expect(try desktop.json("status")["account"].string == own)
    }

    @Test func `an account that can't be opened is reported with the reason, and other accounts are served`()
        throws
    {
        try laptop.must("init", "--no-confirm")
        try laptop.must(of: "work", "init", "--no-confirm")
        let certificate = laptop.identity(of: "work") + "/device.pem"
        let kept = try #require(File.read(certificate))
        try File.write("no certificate", to: certificate)
        try laptop.startNode()
        try laptop.must("start", "x", "--title", "still here")
        let answer = try laptop.baton("status", "--account", "work")
        #expect(answer.status == 1 && answer.errors.contains("identity") && answer.errors.contains("damaged"))
        #expect(laptop.log.contains("work: can't open the account: "), "\(laptop.log)")
        let accounts = try laptop.accounts()
        #expect(accounts.map { $0["trouble"] == .null } == [true, false])
        #expect(try laptop.must("accounts").contains("not served"))
        // Once it is repaired, the next command is answered, without a restart.
        try File.write(kept, to: certificate)
        try laptop.must(of: "work", "status")
        #expect(try laptop.accounts().allSatisfy { $0["trouble"] == .null })
    }

    @Test func `a node ends if none of its accounts can be opened`() throws {
        for name in ["one", "two"] {
            try laptop.must(of: name, "init", "--no-confirm")
            try File.write("no certificate", to: laptop.identity(of: name) + "/device.pem")
        }
        let answer = try laptop.baton("node", "--listen", "127.0.0.1:0")
        #expect(answer.status == 1 && answer.errors.contains("damaged"), "\(answer)")
    }

    @Test func `restoring one account does not change the other`() throws {
        try laptop.must("init", "--no-confirm")
        try laptop.must(of: "work", "init", "--no-confirm")
        try laptop.startNode()
        for name in ["default", "work"] {
            try laptop.must(of: name, "start", "x", "--title", "before \(name)", "--instance", "here")
        }
        let file = folder.path + "/work.baton"
        try laptop.must(of: "work", "backup", file)
        for name in ["default", "work"] {
            try laptop.must(of: name, "update", "--title", "after \(name)", "--instance", "here")
        }
        func titles() throws -> [String?] {
            try ["default", "work"].flatMap { try laptop.json(of: $0, "list")["activities"].list }
                .map(\.["title"].string)
        }
        // The backup is of another account.
        #expect(try laptop.baton("restore", file, "--yes").status == 1)
        try laptop.must(of: "work", "restore", file, "--yes")
        #expect(try titles() == ["after default", "before work"])
        try laptop.must(of: "work", "update", "--title", "again", "--instance", "here")
        #expect(try laptop.stopNode() == 0)
        try laptop.must(of: "work", "restore", file, "--yes")
        try laptop.startNode()
        #expect(try titles() == ["after default", "before work"])
    }
}
