import Glibc
import Support
import Testing

/// The ways back from losses, following the advice of the programs.
@Suite struct `Recovering from losses` {
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

    @Test func `a machine promoted after the loss of the only owner can revoke the lost owner`() throws {
        let (laptop, desktop, code) = try two()
        laptop.killNode()
        #expect(try desktop.baton("promote", reading: code).status == 0)
        try desktop.must("revoke", "laptop", "--yes")
        #expect(try desktop.kinds()["laptop"]?.hasPrefix("revoked") == true)
        let phone = machine("phone")
        try phone.join(desktop)
        try phone.startNode()
        try phone.waitUntilConnected(with: desktop)
        // The machine that was found again is revoked, and says what to type.
        try laptop.startNode()
        try eventually("words; \(laptop.log)") {
            try laptop.must("status").contains(
                "refused this device: that device was revoked")
        }
        let left = try laptop.baton("leave", "--yes")
        #expect(left.status == 0, "\(left)")
        #expect(!left.output.contains("type `baton revoke"))
        try laptop.join(desktop)
        try laptop.startNode()
        try laptop.waitUntilConnected(with: desktop)
    }

    @Test func `a new machine recovers the account and its data after the loss of the only owner`() throws {
        let (laptop, desktop, code) = try two()
        try desktop.must("start", "x", "--instance", "i", "--title", "kept")
        try laptop.waitForActivity(titled: "kept")
        laptop.killNode()
        let tower = machine("tower")
        let done = try tower.baton("recover", "--at", desktop.address, "--name", "tower", reading: code)
        #expect(done.status == 0, "\(done)")
        #expect(done.output.contains("It was admitted by “desktop”"))
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

    @Test func `recover does not change the records of the other machines`()
        throws
    {
        let (laptop, desktop, code) = try two()
        #expect(try desktop.baton("promote", reading: code).status == 0)
        try desktop.must("rename", "study")
        try eventually("the name and the key") { try laptop.kinds()["study"] == "owner" }
        try eventually("the name") { try desktop.kinds()["study"] == "owner" }
        laptop.killNode()
        let tower = machine("tower")
        let done = try tower.baton("recover", "--at", desktop.address, "--name", "tower", reading: code)
        #expect(done.status == 0, "\(done)")
        try tower.startNode()
        let kinds = ["laptop": "owner", "study": "owner", "tower": "owner"]
        try eventually("all that was known; \(tower.log)") { try tower.kinds() == kinds }
        try eventually("the same there; \(desktop.log)") { try desktop.kinds() == kinds }
    }

    @Test func `after the loss of the only machine, recover recreates the account without its data`() throws {
        let laptop = machine("laptop")
        let code = try laptop.begin()
        let account = try #require(try laptop.json("status")["account"].string)
        laptop.killNode()
        let tower = machine("tower")
        let done = try tower.baton("recover", "--name", "tower", reading: code)
        #expect(done.status == 0 && done.output.contains("The account is empty"), "\(done)")
        try tower.startNode()
        #expect(try tower.json("status")["account"].string == account)
        #expect(try tower.kinds() == ["tower": "owner"])
        // Other machines can join it.
        let phone = machine("phone")
        try phone.join(tower)
        try phone.startNode()
        try phone.waitUntilConnected(with: tower)
        try eventually("an owner") { try phone.kinds()["tower"] == "owner" }
    }

    @Test func `the recovery code makes a new owner after two owners have revoked each other`()
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
        // Two separated owners revoke each other.
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
        // A revoked machine stays out, and says what to do.
        try eventually("words; \(desktop.log)") {
            try desktop.must("status").contains("type `baton leave` here, which deletes the data, then")
        }
        #expect(try phone.baton("promote", reading: code).status == 0)
        #expect(try phone.kinds()["phone"] == "owner")
        try phone.waitUntilConnected(with: tablet)
        #expect(try desktop.baton("leave", "--yes").status == 0)
        try desktop.join(phone)
        try desktop.startNode()
        try desktop.waitUntilConnected(with: phone)
    }

    @Test(arguments: [false, true]) func `files left by a killed join do not prevent recovery`(
        comesBack: Bool
    ) throws {
        let (_, desktop, code) = try two()
        // A store of another account, as it exists before the keys do.
        let tower = machine("tower")
        try tower.must("init", "--no-confirm")
        try tower.startNode()
        tower.killNode()
        let account = tower.home + "/accounts/default"
        _ = try tower.type(["rm", "-r", account + "/identity"])
        let done =
            comesBack
            ? try tower.baton("recover", "--name", "tower", "--at", desktop.address, reading: code)
            : try tower.baton("init", "--no-confirm", "--name", "tower")
        #expect(done.status == 0, "\(done)")
        try tower.startNode()
        if comesBack { try tower.waitUntilConnected(with: desktop) }
        #expect(try tower.kinds()["tower"] == "owner")
        // Nothing was deleted.
        let replaced = try tower.type(["sh", "-c", "ls \(account)/activities.sqlite.replaced-*"])
        #expect(replaced.status == 0, "\(replaced)")
    }

    @Test
    func `recover is refused with another account's code, at a closed port, or where an account exists`()
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
        expect(try tower.baton("recover", "--at", "no where", "--name", "tower", reading: code), 2)
        expect(try tower.baton("recover", "--name", "tower", reading: "lemon"), 2)
        expect(try tower.baton("status"), 4, advice: "baton recover", "baton init")
        #expect(!tower.hasAccountFiles)
        expect(try laptop.baton("recover", reading: code), 5, advice: "baton promote")
        try laptop.must(of: "club", "init", "--no-confirm")
        let second = try laptop.baton("recover", "--account", "club", reading: code)
        expect(second, 5, advice: "baton promote --account club")
    }

    @Test func `a device's name takes precedence over the beginning of another device's ID`() throws {
        let (laptop, _, _) = try two()
        let line = try laptop.must("devices").split(separator: "\n").first { $0.hasPrefix("desktop ") }
        let prefix = String(try #require(line?.split(separator: " ").dropFirst().first).prefix(3))
        try laptop.must("rename", prefix)
        #expect(try laptop.must("devices", prefix).contains("): owner, "))
        #expect(try laptop.must("devices", "desktop").contains("): device, "))
    }

    @Test func `a node with unreadable keys suggests commands that work`() throws {
        let (laptop, desktop, _) = try two()
        #expect(try desktop.stopNode() == 0)
        let account = desktop.home + "/accounts/default"
        _ = try desktop.type(["sh", "-c", "echo rubbish > \(account)/identity/device.pem"])
        for command in [["status"], ["leave", "--yes"]] {
            let answer = try desktop.type(["baton"] + command)
            #expect(answer.status != 0)
            if command[0] == "leave" { #expect(answer.errors.contains("move \(account) away"), "\(answer)") }
        }
        _ = try desktop.type(["mv", account, desktop.home + ".aside"])
        try desktop.join(laptop)
        try desktop.startNode()
        try desktop.waitUntilConnected(with: laptop)
    }

    @Test func `recover on an unwritable disk suggests a command for the other machine`()
        throws
    {
        let (_, desktop, code) = try two()
        let tower = machine("tower")
        // Something that is not a store is in its place.
        _ = try tower.type(["mkdir", "-p", tower.home + "/accounts/default/activities.sqlite"])
        _ = try tower.type(["chmod", "-R", "go=", tower.home])
        let done = try tower.baton("recover", "--name", "tower", "--at", desktop.address, reading: code)
        expect(done, 13)
        let command = try #require(done.errors.split(separator: "`").first { $0.hasPrefix("baton remove ") })
        try eventually("that it can be removed") {
            try desktop.baton("remove", String(command.split(separator: " ")[2])).status == 0
        }
    }

    @Test func `two machines with the same identity report the problem, and suggest a command`() throws {
        let (laptop, desktop, _) = try two()
        #expect(try desktop.stopNode() == 0)
        let clone = machine("clone")
        _ = try clone.type(["cp", "-a", desktop.home, clone.home])
        let both = [desktop, clone]
        for machine in both { try machine.startNode() }
        // Each writes until the other's changes have reached it; they take each other's connection meanwhile.
        var number = 0
        for machine in both {
            try eventually("words; \(machine.log)") {
                number += 1
                // A machine may have only a limited number of activities at once.
                let instance = "i\(number % 50)"
                for other in both {
                    try other.must("start", "x", "--instance", instance, "--title", "t\(number)")
                }
                return try machine.must("status").contains(
                    "another machine uses the identity of this device")
            }
        }
        #expect(try desktop.must("status").contains("stop the node, type `baton leave`, and join again"))
        #expect(laptop.isNodeRunning)
    }

    @Test func `a clone of a machine can leave unnoticed, and join as another device`() throws {
        let (laptop, desktop, _) = try two()
        #expect(try desktop.stopNode() == 0)
        let clone = machine("clone")
        _ = try clone.type(["cp", "-a", desktop.home, clone.home])
        // Nobody hears of the clone; the machine that stays is in the account as before.
        let left = try clone.baton("leave", "--yes")
        #expect(left.status == 0 && left.output.contains("No other machine was told"), "\(left)")
        try clone.join(laptop)
        try clone.startNode()
        try clone.waitUntilConnected(with: laptop)
        try desktop.startNode()
        try desktop.waitUntilConnected(with: laptop)
        #expect(try laptop.kinds() == ["laptop": "owner", "desktop": "device", "clone": "device"])
    }

    @Test func `a home restored from an old copy receives the changes it missed`() throws {
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
