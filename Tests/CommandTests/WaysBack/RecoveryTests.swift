import Glibc
import Support
import Testing

/// The ways back, walked by what the program prints.
@Suite struct `When something is lost` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func machine(_ name: String) -> Machine { Machine(name, in: folder) }

    /// Two machines, the first an owner's, and the code.
    private func two() throws -> (laptop: Machine, desktop: Machine, code: String) {
        let (laptop, desktop) = (machine("laptop"), machine("desktop"))
        let code = try laptop.begin()
        try desktop.join(laptop)
        try desktop.startNode()
        try desktop.waitUntilConnected(with: laptop)
        return (laptop, desktop, code)
    }

    @Test func `the only owner: another machine is promoted, and the lost one revoked`() throws {
        let (laptop, desktop, code) = try two()
        laptop.killNode()
        #expect(try desktop.baton("promote", reading: code).status == 0)
        try desktop.must("revoke", "laptop", "--yes")
        #expect(try desktop.kinds()["laptop"]?.hasPrefix("revoked") == true)
        let phone = machine("phone")
        try phone.join(desktop)
        try phone.startNode()
        try phone.waitUntilConnected(with: desktop)
        // What was found again is out, and says what to type.
        try laptop.startNode()
        try eventually("words; \(laptop.log)") {
            try laptop.must("status").contains(
                "does not let this device in, and says: that device was revoked")
        }
        let left = try laptop.baton("leave", "--yes")
        #expect(left.status == 0, "\(left)")
        #expect(!left.output.contains("type `baton revoke"))
        try laptop.join(desktop)
        try laptop.startNode()
        try laptop.waitUntilConnected(with: desktop)
    }

    @Test func `the only owner: a new machine comes back by the code, and everything with it`() throws {
        let (laptop, desktop, code) = try two()
        try desktop.must("start", "x", "--instance", "i", "--title", "kept")
        try laptop.waitForActivity(titled: "kept")
        laptop.killNode()
        let tower = machine("tower")
        let done = try tower.baton("recover", "--at", desktop.address, "--name", "tower", reading: code)
        #expect(done.status == 0, "\(done)")
        #expect(done.output.contains("It was let in by “desktop”"))
        #expect(done.output.contains("`baton revoke DEVICE`"))
        try tower.startNode()
        try tower.waitUntilConnected(with: desktop)
        try tower.waitForActivity(titled: "kept")
        try eventually("an owner everywhere") { try desktop.kinds()["tower"] == "owner" }
        #expect(try tower.kinds()["tower"] == "owner")
        try tower.must("revoke", "laptop", "--yes")
        try eventually("that it is out") { try desktop.kinds()["laptop"]?.hasPrefix("revoked") == true }
        let phone = machine("phone")
        try phone.join(tower)
        try phone.startNode()
        try phone.waitUntilConnected(with: desktop)
    }

    @Test func `the only machine: the account is there again, and empty, and says so`() throws {
        let laptop = machine("laptop")
        let code = try laptop.begin()
        let account = try #require(try laptop.json("status")["account"].string)
        laptop.killNode()
        let tower = machine("tower")
        let done = try tower.baton("recover", "--name", "tower", reading: code)
        #expect(done.status == 0 && done.output.contains("Nothing of the account is here"), "\(done)")
        try tower.startNode()
        #expect(try tower.json("status")["account"].string == account)
        #expect(try tower.kinds() == ["tower": "owner"])
        // Others can join, and enter it.
        let phone = machine("phone")
        try phone.join(tower)
        try phone.startNode()
        try phone.waitUntilConnected(with: tower)
        try eventually("an owner") { try phone.kinds()["tower"] == "owner" }
    }

    @Test func `all owners, who revoked each other: the code makes a new one, and nobody else is lost`()
        throws
    {
        let (laptop, desktop, code) = try two()
        #expect(try desktop.baton("promote", reading: code).status == 0)
        let (phone, tablet) = (machine("phone"), machine("tablet"))
        for machine in [phone, tablet] {
            try machine.join(laptop)
            try machine.startNode()
        }
        for machine in [laptop, desktop, tablet] { try phone.waitUntilConnected(with: machine) }
        try tablet.waitUntilConnected(with: desktop)
        // In two places, each does it to the other.
        for machine in [desktop, tablet] { #expect(try machine.stopNode() == 0) }
        try laptop.must("revoke", "desktop", "--yes")
        try eventually("that it is out") { try phone.kinds()["desktop"]?.hasPrefix("revoked") == true }
        for machine in [laptop, phone] { #expect(try machine.stopNode() == 0) }
        for machine in [desktop, tablet] { try machine.startNode() }
        try desktop.waitUntilConnected(with: tablet)
        try desktop.must("revoke", "laptop", "--yes")
        try eventually("that it is out") { try tablet.kinds()["laptop"]?.hasPrefix("revoked") == true }
        try phone.startNode()
        try phone.waitUntilConnected(with: tablet)
        for machine in [phone, tablet] {
            try eventually("both out; \(machine.log)") {
                let kinds = try machine.kinds()
                return ["laptop", "desktop"].allSatisfy { kinds[$0]?.hasPrefix("revoked") == true }
            }
        }
        // A revoked one stays out, and says what to do.
        try eventually("words; \(desktop.log)") {
            try desktop.must("status").contains("type `baton leave` here, which deletes what is here, then")
        }
        #expect(try phone.baton("promote", reading: code).status == 0)
        #expect(try phone.kinds()["phone"] == "owner")
        try phone.waitUntilConnected(with: tablet)
        #expect(try desktop.baton("leave", "--yes").status == 0)
        try desktop.join(phone)
        try desktop.startNode()
        try desktop.waitUntilConnected(with: phone)
    }

    @Test func `coming back is refused by another account's machine, a closed port, and where an account is`()
        throws
    {
        let (laptop, _, code) = try two()
        let stranger = try #require(try machine("stranger").json("init")["recoveryCode"].string)
        let tower = machine("tower")
        let foreign = try tower.baton("recover", "--at", laptop.address, "--name", "tower", reading: stranger)
        expect(foreign, 10)
        #expect(foreign.errors.contains("does not know the account of this recovery code"), "\(foreign)")
        let closed = try tower.baton("recover", "--at", "127.0.0.1:1", "--name", "tower", reading: code)
        expect(closed, 10, advice: "baton node")
        expect(try tower.baton("recover", "--at", "nowhere", "--name", "tower", reading: code), 2)
        expect(try tower.baton("recover", "--name", "tower", reading: "lemon"), 2)
        expect(try tower.baton("status"), 4, advice: "baton recover", "baton init")
        #expect(!tower.hasAccountFiles)
        expect(try laptop.baton("recover", reading: code), 5, advice: "baton promote")
    }

    @Test func `two machines with one identity: one of them leaves quietly and joins anew`() throws {
        let (laptop, desktop, _) = try two()
        #expect(try desktop.stopNode() == 0)
        let clone = machine("clone")
        _ = try clone.type(["cp", "-a", desktop.home, clone.home])
        // Of the clone nobody hears; the one that stays is in the account as before.
        let left = try clone.baton("leave", "--yes")
        #expect(left.status == 0 && left.output.contains("No other machine has heard of it"), "\(left)")
        try clone.join(laptop)
        try clone.startNode()
        try clone.waitUntilConnected(with: laptop)
        try desktop.startNode()
        try desktop.waitUntilConnected(with: laptop)
        #expect(try laptop.kinds() == ["laptop": "owner", "desktop": "device", "clone": "device"])
    }

    @Test func `a home that was restored from yesterday is let in with what it missed`() throws {
        let (laptop, desktop, _) = try two()
        #expect(try desktop.stopNode() == 0)
        let copy = desktop.home + ".yesterday"
        _ = try desktop.type(["cp", "-a", desktop.home, copy])
        try desktop.startNode()
        try laptop.must("start", "x", "--instance", "i", "--title", "since")
        try desktop.waitForActivity(titled: "since")
        #expect(try desktop.stopNode() == 0)
        _ = try desktop.type(["rm", "-r", desktop.home])
        _ = try desktop.type(["mv", copy, desktop.home])
        try desktop.startNode()
        try desktop.waitUntilConnected(with: laptop)
        try desktop.waitForActivity(titled: "since")
    }
}
