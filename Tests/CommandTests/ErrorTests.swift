import Foundation
import Support
import Testing

/// Mistakes of a person: each has its own exit status, and a message that says what to type next.
@Suite struct `Errors of the commands` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func machine(_ name: String) -> Machine { Machine(name, in: folder) }

    @Test(arguments: [
        ["list"], ["status"], ["devices"], ["invite"], ["start", "x"], ["update", "--title", "x"], ["finish"],
        ["continue"],
    ])
    func `a command without an account exits with 4`(words: [String]) throws {
        expect(try machine("new").type(["baton"] + words), 4, advice: "baton init")
    }

    @Test func `a node without an account exits with 4`() throws {
        expect(try machine("new").baton("node", "--listen", "127.0.0.1:0"), 4, advice: "baton init")
    }

    @Test(arguments: [
        ["list"], ["status"], ["devices"], ["invite"], ["start", "x"], ["update", "--title", "x"], ["finish"],
        ["continue"],
    ])
    func `a command without a running node exits with 3`(words: [String]) throws {
        let laptop = machine("laptop")
        try laptop.must("init", "--no-confirm")
        expect(try laptop.type(["baton"] + words), 3, advice: "baton node")
        // The advice names the home if the person did.
        let elsewhere = try laptop.type(["baton"] + words + ["--home", laptop.home])
        expect(elsewhere, 3, advice: "baton node --home \(laptop.home)")
    }

    @Test func `a command exits with 3 after its node was killed`() throws {
        let laptop = machine("laptop")
        try laptop.must("init", "--no-confirm")
        try laptop.startNode()
        laptop.killNode()
        expect(try laptop.baton("list"), 3, advice: "baton node")
        try laptop.startNode()
        try laptop.must("list")
    }

    @Test func `a second account with the same name is refused`() throws {
        let account = try Account("laptop", "desktop", in: folder)
        expect(try account[0].baton("init", "--no-confirm"), 5, advice: "baton status")
        let code = try account[0].invite()
        expect(try account[1].baton("join", code, "--at", account[0].address), 5, advice: "baton status")
        // The command was refused before it used the code, so the code is still valid.
        let third = machine("third")
        try third.must("join", code, "--at", account[0].address)
    }

    @Test(.enabled(if: TerminalShell.isThere, "tmux is not on this machine"))
    func `an error message of the node is wrapped between words at a narrow terminal`() throws {
        let laptop = machine("laptop")
        let lines = try TerminalShell(on: laptop, width: 44).run("baton node --listen 127.0.0.1:0")
        #expect(lines.first?.hasPrefix("baton: This home has no account. ") == true, "\(lines)")
        #expect(lines.count > 3 && lines.dropFirst().allSatisfy { $0.hasPrefix("       ") }, "\(lines)")
        #expect(lines.sentence.contains("`baton join CODE` to join one, or"), "no word is broken: \(lines)")
    }

    @Test func `a second node on one home is refused`() throws {
        let laptop = machine("laptop")
        try laptop.must("init", "--no-confirm")
        try laptop.startNode()
        expect(try laptop.baton("node", "--listen", "127.0.0.1:0"), 6, advice: "baton status")
        try laptop.must("list")
    }

    @Test func `a port in use is reported with advice`() throws {
        let (laptop, desktop) = (machine("laptop"), machine("desktop"))
        try laptop.must("init", "--no-confirm")
        try laptop.startNode()
        try desktop.must("init", "--no-confirm")
        expect(
            try desktop.baton("node", "--listen", laptop.address), 7,
            advice: "baton node --listen ADDRESS:PORT")
    }

    @Test func `listening on an address of another machine is refused with advice`() throws {
        let laptop = machine("laptop")
        try laptop.must("init", "--no-confirm")
        let answer = try laptop.baton("node", "--listen", "192.0.2.1:4817")
        expect(answer, 1)
        #expect(answer.errors.contains("`ip address`"), "\(answer)")
        #expect(
            answer.errors.hasPrefix(
                "baton: This machine can't listen on 192.0.2.1:4817: Cannot assign requested address.\n"),
            "\(answer)")
    }

    @Test func `a command exits with 11 if the activity is unknown or ambiguous`() throws {
        let account = try Account("laptop", "desktop", in: folder)
        let (laptop, desktop) = (account[0], account[1])
        expect(try laptop.baton("continue", "nope"), 11, advice: "baton list")
        expect(try laptop.baton("update", "nope", "--title", "x"), 11, advice: "baton list")
        expect(try laptop.baton("finish", "nope"), 11, advice: "baton list")
        expect(try laptop.baton("finish"), 11, advice: "baton list", "baton start TYPE")
        expect(
            try laptop.baton("finish", "--instance", "notes"), 11, advice: "baton list", "baton start TYPE")
        expect(try laptop.baton("continue"), 11)

        // Among thirty-three identifiers, two begin with the same of thirty-two letters.
        for number in 0...32 {
            try laptop.must("start", "x", "--instance", "\(number)", "--title", "t\(number)")
        }
        try desktop.waitForActivity(titled: "t32")
        let firsts = try laptop.list().compactMap { $0["id"].string?.first }
        let ambiguous = try #require(firsts.first { letter in firsts.filter { $0 == letter }.count > 1 })
        expect(try laptop.baton("continue", String(ambiguous)), 11, advice: "baton list")
        expect(try desktop.baton("continue", String(ambiguous)), 11, advice: "baton list")
        expect(try laptop.baton("update", String(ambiguous), "--title", "x"), 11, advice: "baton list")
        expect(try laptop.baton("finish", String(ambiguous)), 11, advice: "baton list")
        // Another machine's activity can be continued, but not changed or finished.
        let whole = try #require(try laptop.list().first?["id"].string)
        try desktop.must("continue", whole)
        expect(try desktop.baton("update", whole, "--title", "x"), 11, advice: "baton list")
        expect(try desktop.baton("finish", whole), 11, advice: "baton list")
    }

    @Test func `an empty title counts as no title, and updating with one removes the title`() throws {
        let laptop = try Account("laptop", in: folder)[0]
        #expect(try laptop.must("start", "x", "--title", "", "--instance", "1").hasPrefix("Started x ("))
        #expect(try laptop.list().map { $0["title"] } == [.null])
        let identifier = try #require(try laptop.list().first?["id"].string)
        try laptop.must("update", identifier, "--title", "T")
        #expect(try laptop.list().map { $0["title"] } == [.string("T")])
        try laptop.must("update", identifier, "--title", "")
        #expect(try laptop.list().map { $0["title"] } == [.null])
    }

    @Test func `a title shared by activities of two machines means the other machine's activity`() throws {
        let account = try Account("laptop", "desktop", in: folder)
        let (laptop, desktop) = (account[0], account[1])
        try laptop.must("start", "x", "--title", "baton (main)", "--instance", "1")
        try desktop.must("start", "x", "--title", "baton (main)", "--instance", "1")
        for machine in [laptop, desktop] {
            try eventually("both activities on \(machine.name)") { try machine.list().count == 2 }
        }
        for (machine, other) in [(laptop, "desktop"), (desktop, "laptop")] {
            #expect(try machine.must("continue", "baton").contains("fresh from “\(other)”"))
            #expect(try machine.json("show", "baton")["activity"]["device"]["name"].string == other)
        }
    }

    @Test func `a malformed listening address is refused`() throws {
        let laptop = machine("laptop")
        try laptop.must("init", "--no-confirm")
        let answer = try laptop.baton("node", "--listen", "here")
        #expect(answer.status == 2, "\(answer)")
        #expect(answer.output.isEmpty && answer.errors.contains("baton: "), "\(answer)")
    }

    @Test func `a command exits with 15 if the activity is too large`() throws {
        let account = try Account("laptop", in: folder)
        let large = String(repeating: "x", count: 100_000)
        expect(try account[0].baton("start", "x", "--title", large, "--info", "a=" + large), 15)
        #expect(try account[0].list().isEmpty)
        try account[0].must("start", "x", "--title", large)
        expect(try account[0].baton("update", "--info", "a=" + large), 15)
        #expect(try account[0].list().first?["info"] == .object([:]))
    }

    @Test func `a home that can't be created is reported`() throws {
        try File.write("", to: folder.path + "/file")
        let laptop = machine("laptop")
        let answer = try laptop.baton("init", "--no-confirm", "--home", folder.path + "/file/home")
        expect(answer, 1)
        #expect(answer.errors.contains(folder.path + "/file"), "\(answer)")
        expect(try laptop.baton("list", "--home", folder.path + "/file/home"), 1)
        // No machine is asked, so that the code stays valid.
        expect(
            try laptop.baton(
                "join", "lemon-tiger-cloud", "--at", "127.0.0.1:1", "--home", folder.path + "/file/home"), 1)
    }

    @Test func `a node exits with 13 if a database can't be opened`() throws {
        let laptop = machine("laptop")
        try laptop.must("init", "--no-confirm")
        let path = laptop.home + "/accounts/default/activities.sqlite"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let answer = try laptop.baton("node", "--listen", "127.0.0.1:0")
        expect(answer, 13)
        #expect(answer.errors.contains(path), "\(answer)")
    }
}
