import Glibc
import Support
import Testing

/// `baton promote`, complete and cut short.
@Suite struct `Becoming an owner with the recovery code` {
    private let folder: TemporaryFolder
    private let laptop: Machine
    private let desktop: Machine
    private let code: String

    init() throws {
        folder = try TemporaryFolder()
        (laptop, desktop) = (Machine("laptop", in: folder), Machine("desktop", in: folder))
        code = try laptop.begin()
        try desktop.join(laptop)
        try desktop.startNode()
        try desktop.waitUntilConnected(with: laptop)
    }

    @Test func `a promoted machine can invite and revoke, immediately and after a restart`() throws {
        expect(try desktop.baton("invite", "--no-wait"), 14, advice: "baton promote")
        let done = try desktop.baton("promote", reading: code)
        #expect(done.status == 0, "\(done)")
        #expect(done.output.contains("is an owner of account"))
        #expect(try desktop.kinds()["desktop"] == "owner")
        try eventually("that the other knows it") { try laptop.kinds()["desktop"] == "owner" }
        let phone = Machine("phone", in: folder)
        try phone.join(desktop)
        try phone.startNode()
        try phone.waitUntilConnected(with: laptop)
        #expect(try desktop.stopNode() == 0)
        try desktop.startNode()
        try desktop.waitUntilConnected(with: laptop)
        try desktop.must("revoke", "phone", "--yes")
        try eventually("that it is out") { try laptop.kinds()["phone"]?.hasPrefix("revoked") == true }
        // The second time, it stays the same owner for longer.
        #expect(try desktop.baton("promote", reading: code).output.contains("is still an owner"))
        #expect(try laptop.kinds()["desktop"] == "owner")
    }

    @Test func `a revoked owner can't invite, and a machine that it admitted is refused with a reason`()
        throws
    {
        #expect(try desktop.baton("promote", reading: code).status == 0)
        try eventually("that the other knows it") { try laptop.kinds()["desktop"] == "owner" }
        // It is one of two owners, so there is no warning about the last one.
        let terminal = try PseudoTerminal()
        let asking = try laptop.begin(["baton", "revoke", "laptop"], terminal: terminal)
        try eventually("a question") { asking.output.contains("Revoke it? [y/N]\n") }
        #expect(!asking.output.contains("last owner"), "\(asking.output)")
        terminal.type("no")
        #expect(try asking.wait() == 1)

        let invited = try desktop.invite()
        #expect(try desktop.stopNode() == 0)
        try laptop.must("revoke", "desktop", "--yes")
        try desktop.startNode()
        try eventually("a word on the desktop; \(desktop.log)") {
            try desktop.must("status").contains("refused this device: that device was revoked")
        }
        expect(try desktop.baton("invite", "--no-wait"), 14, advice: "baton status", "baton invite")
        let phone = Machine("phone", in: folder)
        expect(try phone.baton("join", invited, "--at", desktop.address), 9)

        // If nobody tells it, it can't know; then the new machine learns it from the first member that it connects to.
        #expect(try desktop.stopNode() == 0)
        #expect(try laptop.stopNode() == 0)
        try desktop.startNode()
        try phone.join(desktop)
        try phone.startNode()
        try phone.waitUntilConnected(with: desktop)
        try laptop.startNode()
        // Loopback addresses from other devices are not tried.
        try phone.must("devices", "laptop", "--at", laptop.address)
        try eventually("a word on the phone; \(phone.log)") {
            try phone.must("status").contains(
                "refused this device: the owner that admitted that device was revoked")
        }
    }

    @Test func `promote works without a running node`() throws {
        #expect(try desktop.stopNode() == 0)
        #expect(try desktop.baton("promote", reading: code).status == 0)
        try desktop.startNode()
        try desktop.waitUntilConnected(with: laptop)
        #expect(try desktop.kinds()["desktop"] == "owner")
        try eventually("that the other knows it") { try laptop.kinds()["desktop"] == "owner" }
        _ = try desktop.invite()
    }

    @Test(arguments: [true, false])
    func `promote reports a mistyped word differently from another account's code`(isRunning: Bool) throws {
        if !isRunning { #expect(try desktop.stopNode() == 0) }
        let words = code.split(separator: " ").map(String.init)
        let mistyped = try desktop.baton(
            "promote", reading: "lemn " + words.dropFirst().joined(separator: " "))
        #expect(mistyped.status == 2 && mistyped.errors.contains("did you mean “lemon”?"), "\(mistyped)")
        var swapped = words
        swapped[3] = swapped[3] == "lemon" ? "tiger" : "lemon"
        let wrong = try desktop.baton("promote", reading: swapped.joined(separator: " "))
        #expect(wrong.status == 2 && wrong.errors.contains("not a valid recovery code"), "\(wrong)")
        let stranger = try Machine("stranger", in: folder).json("init")
        let foreign = try desktop.baton("promote", reading: try #require(stranger["recoveryCode"].string))
        #expect(
            foreign.status == 8 && foreign.errors.contains("recovery code of another account"), "\(foreign)")
        expect(try desktop.baton("promote", reading: ""), 2)
        if !isRunning { try desktop.startNode() }
        #expect(try desktop.kinds()["desktop"] == "device")
    }

    @Test func `promote asks at a terminal until the code is right or the input ends`() throws {
        let terminal = try PseudoTerminal()
        let process = try desktop.begin(["baton", "promote"], terminal: terminal)
        try eventually("a question; \(process.errors)") { process.output.contains("Type the 16 words") }
        terminal.type("lemn\n")
        try eventually("what is wrong") { process.output.contains("Try again.") }
        terminal.type(code)
        #expect(try process.wait() == 0, "\(process.output)\(process.errors)")
        let declined = try desktop.begin(["baton", "promote"], terminal: terminal)
        for number in 1...4 {
            terminal.type("lemon\n")
            try eventually("what is wrong") {
                declined.output.split(separator: "\n").count { $0.contains("has 16 words; these are 1") }
                    == number
            }
        }
        terminal.end()
        #expect(try declined.wait() == 2, "\(declined.output)")
        #expect(declined.errors.contains("Nothing has changed"), "\(declined.errors)")
    }

    @Test(arguments: 0..<6)
    func `if the node is killed during promote, promote can be repeated`(
        step: Int
    )
        throws
    {
        let process = try desktop.begin(["baton", "promote"], hasInput: true)
        process.write(Array("\(code)\n".utf8))
        process.closeInput()
        // At any moment: none of the steps in question takes longer than some milliseconds.
        usleep(UInt32(step * step) * 900)
        desktop.killNode()
        _ = try process.wait()
        try desktop.startNode()
        let kind = try desktop.kinds()["desktop"]
        #expect(kind == "device" || kind == "owner")
        #expect(try desktop.baton("promote", reading: code).status == 0)
        #expect(try desktop.kinds()["desktop"] == "owner")
        try desktop.waitUntilConnected(with: laptop)
        let files = try desktop.type(["ls", desktop.home + "/accounts/default/identity"]).output
        #expect(files == "content.key\ndevice-key.pem\ndevice.pem\nowner-key.pem\nroot.pem\n")
    }
}
