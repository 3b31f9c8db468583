import Support
import Testing

/// What can go wrong when a machine joins: each has an exit status of its own, and words that say what to type next.
@Suite struct `Errors of pairing` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func machine(_ name: String) -> Machine { Machine(name, in: folder) }

    @Test func `a wrong code ends the invitation on both sides, and each is told`() throws {
        let account = try Account("laptop", in: folder)
        let inviting = try account[0].begin(["baton", "invite"])
        let code = try eventual("a code", attempt: { inviting.output.firstMatch(of: /Code: (\S+)/)?.1 })
        let wrong = code == "lemon-tiger-cloud" ? "cloud-tiger-lemon" : "lemon-tiger-cloud"
        let desktop = machine("desktop")
        expect(try desktop.baton("join", wrong, "--at", account[0].address), 8, advice: "baton invite")
        #expect(try inviting.wait() == 8)
        #expect(inviting.errors.contains("`baton invite`"), "\(inviting.errors)")
        // The right one is good no more.
        expect(try desktop.baton("join", String(code), "--at", account[0].address), 9, advice: "baton invite")
        try desktop.join(account[0])
    }

    @Test func `a code that was used, and one that is not open`() throws {
        let account = try Account("laptop", in: folder)
        let code = try account[0].invite()
        try machine("desktop").must("join", code, "--at", account[0].address)
        expect(
            try machine("third").baton("join", code, "--at", account[0].address), 9, advice: "baton invite")
    }

    @Test func `a newer invitation takes the place of an older one`() throws {
        let account = try Account("laptop", in: folder)
        let older = try account[0].begin(["baton", "invite"])
        let code = try eventual("a code", attempt: { older.output.firstMatch(of: /Code: (\S+)/)?.1 })
        let newer = try account[0].invite()
        #expect(try older.wait() == 9)
        expect(
            try machine("desktop").baton("join", String(code), "--at", account[0].address), 8,
            advice: "baton invite")
        #expect(newer != code)
    }

    @Test(arguments: ["lemon", "lemn-tiger-cloud", "lemon tiger cloud coach", "", "../../x", "\u{1b}[2J"])
    func `what is no code`(code: String) throws {
        let answer = try machine("new").baton("join", code, "--at", "127.0.0.1:1")
        expect(answer, 2, advice: "baton invite")
        #expect(!answer.errors.contains("\u{1b}"))
    }

    @Test func `a mistyped word is told before it costs the guess`() throws {
        let account = try Account("laptop", in: folder)
        let code = try account[0].invite()
        let desktop = machine("desktop")
        let typed = code.split(separator: "-").map(String.init)
        let answer = try desktop.baton("join", typed[0] + "q", typed[1], typed[2], "--at", account[0].address)
        expect(answer, 2, advice: "baton invite")
        #expect(answer.errors.contains("“\(typed[0])q” is not one of the words; did you mean “\(typed[0])”?"))
        // In any case, with spaces, and shortened.
        let short = typed.map { String($0.prefix(4)).uppercased() }
        try desktop.must("join", short[0], short[1], short[2], "--at", account[0].address)
    }

    @Test func `an address that can't be reached`() throws {
        let laptop = machine("laptop")
        try laptop.must("init", "--no-confirm")
        try laptop.startNode()
        let address = laptop.address
        _ = try laptop.stopNode()
        expect(
            try machine("new").baton("join", "lemon-tiger-cloud", "--at", address), 10, advice: "baton node")
        expect(
            try machine("new").baton("join", "lemon-tiger-cloud", "--at", "no-such-host.invalid:4817"), 10,
            advice: "baton node")
    }

    @Test(arguments: ["", "laptop", "127.0.0.1:99999", ":4817", "a b:1"])
    func `what is no address`(address: String) throws {
        let answer = try machine("new").baton("join", "lemon-tiger-cloud", "--at", address)
        // A host without a port might be meant as one with the usual port; anything but a crash or a wait will do.
        #expect([2, 10].contains(answer.status), "\(answer)")
    }

    @Test func `an invitation by a machine that is not an owner`() throws {
        let account = try Account("laptop", "desktop", in: folder)
        expect(try account[1].baton("invite"), 14, advice: "baton invite")
    }
}
