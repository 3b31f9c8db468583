import Glibc
import Support
import Testing

/// `baton leave`, complete and cut short.
@Suite struct `Leaving an account` {
    private let folder: TemporaryFolder
    private let laptop: Machine
    private let phone: Machine
    private let code: String

    init() throws {
        folder = try TemporaryFolder()
        (laptop, phone) = (Machine("laptop", in: folder), Machine("phone", in: folder))
        code = try laptop.begin()
        try phone.join(laptop)
        try phone.startNode()
        try phone.waitUntilConnected(with: laptop)
    }

    @Test
    func `leave asks for confirmation, notifies the other machines, deletes the data, and ends the node`()
        throws
    {
        expect(try phone.baton("leave"), 2)
        let terminal = try PseudoTerminal()
        let declined = try phone.begin(["baton", "leave"], terminal: terminal)
        try eventually("a question") { declined.output.contains("Leave the account? [y/N]\n") }
        #expect(declined.output.contains("\(phone.home)/accounts/default"))
        #expect(declined.output.contains("“laptop” keeps its data."))
        terminal.type("no")
        #expect(try declined.wait() == 1 && declined.errors == "baton: Nothing has changed.\n")
        #expect(try phone.kinds()["phone"] == "device")

        let agreed = try phone.begin(["baton", "leave"], terminal: terminal)
        try eventually("a question") { agreed.output.contains("[y/N]\n") }
        terminal.type("Y")
        #expect(try agreed.wait() == 0, "\(agreed.errors)")
        #expect(agreed.output.contains("“laptop” knows, and tells the others."))
        #expect(try phone.awaitNodeEnd() == 0)
        #expect(!phone.hasAccountFiles)
        #expect(phone.log.contains("no account is left on this machine"))
        expect(try phone.baton("status"), 4, advice: "baton recover")
        try eventually("that it has left") { try laptop.kinds()["phone"] == "left just now" }
        // No machine waits for it.
        try laptop.waitUntilInStep()
        #expect(try !laptop.must("status").contains("phone"))
        #expect(try !laptop.must("devices").contains("phone "))
        #expect(try laptop.must("devices").contains("Not shown: 1 machine (left or revoked)"))
        // It can join again, as a new device.
        try phone.join(laptop)
        try phone.startNode()
        try phone.waitUntilConnected(with: laptop)
    }

    @Test func `an owner that leaves revokes its own key`() throws {
        let left = try laptop.begin(["baton", "leave", "--yes"])
        #expect(try left.wait() == 0, "\(left.errors)")
        #expect(left.output.contains("“phone” knows"))
        #expect(try laptop.awaitNodeEnd() == 0)
        #expect(!laptop.hasAccountFiles)
        try eventually("that it is out") {
            try phone.kinds()["laptop"]?.hasPrefix("revoked just now by “laptop”") == true
        }
        expect(try phone.baton("invite", "--no-wait"), 14, advice: "baton promote")
        #expect(try phone.baton("promote", reading: code).status == 0)
        _ = try phone.invite()
    }

    @Test func `baton leave warns if the machine is the last owner or the last machine`() throws {
        let terminal = try PseudoTerminal()
        for (isAlone, words) in [
            (false, "It is the last owner."), (true, "this is the only copy of its data"),
        ] {
            if isAlone {
                #expect(try phone.baton("leave", "--yes").status == 0)
                try eventually("its word") { try laptop.kinds()["phone"]?.hasPrefix("left") == true }
            }
            let process = try laptop.begin(["baton", "leave"], terminal: terminal)
            try eventually("a question") { process.output.contains("[y/N]\n") }
            #expect(process.output.contains(words), "\(process.output)")
            #expect(process.output.contains(isAlone ? "`baton recover`" : "`baton promote`"))
            terminal.type("no")
            #expect(try process.wait() == 1)
        }
    }

    @Test func `leave suggests a command for another machine if none can be notified`() throws {
        laptop.killNode()
        let left = try phone.baton("leave", "--yes")
        #expect(left.status == 0, "\(left)")
        #expect(
            left.output.contains("No other machine was told") && left.output.contains("`baton remove ")
        )
        #expect(try phone.awaitNodeEnd() == 0)
        #expect(!phone.hasAccountFiles)
        try laptop.startNode()
        try laptop.must("remove", "phone")
        try laptop.waitUntilInStep()
    }

    @Test(arguments: 0..<8)
    func `if leave is killed on an owner's machine, it is complete or can be repeated`(step: Int) throws {
        let process = try laptop.begin(["baton", "leave", "--yes"])
        usleep(UInt32(step) * 15_000)
        laptop.killNode()
        _ = try process.wait()
        if try laptop.baton("status").status == 3 {
            // Its revocation may have been sent: in either case it starts, shows its status, and can leave.
            try laptop.startNode()
            _ = try laptop.must("status")
            #expect(try laptop.baton("leave", "--yes").status == 0)
            #expect(!laptop.hasAccountFiles)
        }
        #expect(try phone.baton("promote", reading: code).status == 0)
        try laptop.join(phone)
        #expect(access(laptop.home + "/left", F_OK) != 0)
        try laptop.startNode()
        try laptop.waitUntilConnected(with: phone)
    }

    @Test(arguments: 0..<10)
    func `if leave is killed, the machine is either still a member or has no account`(step: Int) throws {
        let process = try phone.begin(["baton", "leave", "--yes"])
        usleep(UInt32(step) * 12_000)
        phone.killNode()
        _ = try process.wait()
        let status = try phone.baton("status").status
        #expect(status == 3 || status == 4)
        if status == 3 {
            // It is still in the account: it tells the others, who accept it again.
            try phone.startNode()
            try phone.waitUntilConnected(with: laptop)
            try eventually("that it is there; \(laptop.log)") { try laptop.kinds()["phone"] == "device" }
        } else {
            try phone.join(laptop)
            try phone.startNode()
            try phone.waitUntilConnected(with: laptop)
            #expect(access(phone.home + "/left", F_OK) != 0)
        }
        #expect(try phone.baton("leave", "--yes").status == 0)
        #expect(!phone.hasAccountFiles)
    }
}
