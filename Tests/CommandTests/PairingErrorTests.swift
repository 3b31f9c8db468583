import Support
import Testing

/// Failures of joining: each has its own exit status, and a message that says what to type next.
@Suite struct `Errors of pairing` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func machine(_ name: String) -> Machine { Machine(name, in: folder) }

    @Test func `a wrong code ends the invitation, and both sides report it`() throws {
        let account = try Account("laptop", in: folder)
        let inviting = try account[0].begin(["baton", "invite"])
        let code = try eventual("a code", attempt: { inviting.output.firstMatch(of: /Code: (\S+)/)?.1 })
        let wrong = code == "lemon-tiger-cloud" ? "cloud-tiger-lemon" : "lemon-tiger-cloud"
        let desktop = machine("desktop")
        expect(try desktop.baton("join", wrong, "--at", account[0].address), 8, advice: "baton invite")
        #expect(try inviting.wait() == 8)
        #expect(inviting.errors.contains("`baton invite`"), "\(inviting.errors)")
        // The right code is no longer valid.
        expect(try desktop.baton("join", String(code), "--at", account[0].address), 9, advice: "baton invite")
        try desktop.join(account[0])
    }

    @Test func `a code can be used only once`() throws {
        let account = try Account("laptop", in: folder)
        let code = try account[0].invite()
        try machine("desktop").must("join", code, "--at", account[0].address)
        expect(
            try machine("third").baton("join", code, "--at", account[0].address), 9, advice: "baton invite")
    }

    @Test func `a new invitation replaces an open one`() throws {
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
    func `a malformed code is refused with advice`(code: String) throws {
        let answer = try machine("new").baton("join", code, "--at", "127.0.0.1:1")
        expect(answer, 2, advice: "baton invite")
        #expect(!answer.errors.contains("\u{1b}"))
    }

    @Test func `a mistyped word of a code is reported, and the invitation stays open`() throws {
        let account = try Account("laptop", in: folder)
        let code = try account[0].invite()
        let desktop = machine("desktop")
        let typed = code.split(separator: "-").map(String.init)
        let answer = try desktop.baton("join", typed[0] + "q", typed[1], typed[2], "--at", account[0].address)
        expect(answer, 2, advice: "baton invite")
        #expect(answer.errors.contains("“\(typed[0])q” is not one of the words; did you mean “\(typed[0])”?"))
        // Words are accepted in any case, with spaces, and shortened.
        let short = typed.map { String($0.prefix(4)).uppercased() }
        try desktop.must("join", short[0], short[1], short[2], "--at", account[0].address)
    }

    @Test func `joining at an unreachable address fails with advice`() throws {
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
    func `joining at a malformed address fails`(address: String) throws {
        let answer = try machine("new").baton("join", "lemon-tiger-cloud", "--at", address)
        // A host without a port may mean the usual port; the test only excludes a crash or a long wait.
        #expect([2, 10].contains(answer.status), "\(answer)")
    }

    @Test func `a machine that is not an owner can't invite`() throws {
        let account = try Account("laptop", "desktop", in: folder)
        expect(try account[1].baton("invite"), 14, advice: "baton invite")
    }
}
