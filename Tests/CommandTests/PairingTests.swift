import Glibc
import Support
import Testing

/// Two machines pair, and both show with whom.
@Suite struct `Pairing of two machines` {
    /// An open invitation, with its code.
    private func invite(
        _ laptop: Machine, _ words: String..., terminal: PseudoTerminal? = nil
    ) throws -> (process: ChildProcess, code: String) {
        let process = try laptop.begin(["baton", "invite"] + words, terminal: terminal)
        let code = try eventual(
            "a code; \(process.errors)", attempt: { process.output.firstMatch(of: /Code: (\S+)/)?.1 })
        return (process, String(code))
    }

    /// The words to compare that a machine shows.
    private func phrase(_ text: String) -> String? {
        text.firstMatch(of: /Compare with its screen: ([a-z]+-[a-z]+-[a-z]+)\n/).map { String($0.1) }
    }

    @Test func `pairing shows the same words and the other's name on both machines, also through a relay`()
        throws
    {
        let account = try Account("laptop")
        let (inviting, code) = try invite(account[0])
        let relay = try Relay(to: account[0].port)
        let desktop = account.newMachine("desktop")
        let joined = try desktop.must("join", code, "--at", relay.address, "--name", "desktop")
        #expect(try inviting.wait() == 0, "\(inviting.errors)")
        #expect(phrase(joined) != nil && phrase(joined) == phrase(inviting.output))
        #expect(joined.contains("“laptop” invites this machine."))
        #expect(inviting.output.contains("“desktop” is joining.") && inviting.output.contains("has joined."))
        #expect(inviting.output.contains("If its screen showed other words, revoke it: baton revoke "))
        #expect(joined.contains("If it shows other words, type `baton leave"))
        // The log contains neither the code nor the words.
        let log = account[0].log
        let words = try #require(phrase(joined))
        #expect(!log.contains(code) && !log.contains(words))
    }

    @Test func `pairing with --confirm waits until the person answers`() throws {
        let account = try Account("laptop")
        let terminal = try PseudoTerminal()
        let (inviting, code) = try invite(account[0], "--confirm", terminal: terminal)
        let desktop = account.newMachine("desktop")
        let joining = try desktop.begin([
            "baton", "join", code, "--at", account[0].address, "--name", "desktop",
        ])
        try eventually("a question") { inviting.output.contains("Let it in? [y/N]") }
        try eventually("that it waits") {
            joining.output.contains("Waiting for somebody to confirm there.")
        }
        #expect(joining.isRunning && phrase(joining.output) == phrase(inviting.output))
        #expect(try desktop.baton("status").status == 4)
        terminal.type("y")
        #expect(try inviting.wait() == 0, "\(inviting.errors)")
        #expect(try joining.wait() == 0, "\(joining.errors)")
        try desktop.startNode()
        try desktop.waitUntilConnected(with: account[0])
    }

    @Test(arguments: ["n", "", "yes please"])
    func `joining fails on both machines if the person at the inviting machine does not answer yes`(
        answer: String
    ) throws {
        let account = try Account("laptop")
        let terminal = try PseudoTerminal()
        let (inviting, code) = try invite(account[0], "--confirm", terminal: terminal)
        let desktop = account.newMachine("desktop")
        let joining = try desktop.begin(["baton", "join", code, "--at", account[0].address])
        try eventually("a question") { inviting.output.contains("Let it in? [y/N]") }
        terminal.type(answer)
        #expect(try inviting.wait() == 14)
        #expect(inviting.errors.contains("was not admitted"))
        #expect(try joining.wait() == 14)
        #expect(joining.errors.contains("declined this one"))
        #expect(try desktop.baton("status").status == 4)
        #expect(try account[0].json("devices")["devices"].list.count == 1)
    }

    @Test(arguments: [SIGINT, SIGKILL])
    func `joining fails immediately when the inviting command ends`(signal: Int32) throws {
        let account = try Account("laptop")
        let terminal = try PseudoTerminal()
        let (inviting, code) = try invite(account[0], "--confirm", terminal: terminal)
        let desktop = account.newMachine("desktop")
        let joining = try desktop.begin(["baton", "join", code, "--at", account[0].address])
        try eventually("a question") { inviting.output.contains("Let it in? [y/N]") }
        #expect(joining.isRunning)
        _ = inviting.end(signal)
        #expect(try joining.wait() == 14, "\(joining.errors)")
        #expect(joining.errors.contains("declined this one"))
        #expect(try account[0].json("devices")["devices"].list.count == 1)
        expect(try account[0].baton("invite", "--cancel"), 9)
    }

    @Test func `pairing with --confirm ends when the joiner disconnects, or without a terminal`() throws {
        let account = try Account("laptop")
        let terminal = try PseudoTerminal()
        let (inviting, code) = try invite(account[0], "--confirm", terminal: terminal)
        let joining = try account.newMachine("desktop").begin([
            "baton", "join", code, "--at", account[0].address,
        ])
        try eventually("a question") { inviting.output.contains("Let it in? [y/N]") }
        let children = File.read("/proc/\(joining.number)/task/\(joining.number)/children") ?? ""
        for child in children.split(separator: " ").compactMap({ pid_t($0) }) { kill(child, SIGKILL) }
        _ = try joining.wait()
        try eventually("a log of its end") { account[0].log.contains("disconnected before it was admitted") }
        terminal.type("y")
        #expect(try inviting.wait() == 1)
        #expect(inviting.errors.contains("has not joined"), "\(inviting.errors)")
        // Without a terminal the person can't be asked.
        expect(try account[0].baton("invite", "--confirm"), 2)
    }
}
