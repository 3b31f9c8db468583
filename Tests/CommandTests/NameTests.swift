import Support
import Testing

/// Names of devices that several have, that were changed, or whose devices are gone.
@Suite struct `Names of devices` {
    @Test func `a renamed device has its new name for joiners and in backups`() throws {
        let account = try Account("laptop")
        let laptop = account[0]
        try laptop.must("rename", "workshop")
        let desktop = account.newMachine("desktop")
        let joined = try desktop.must(
            "join", try laptop.invite(), "--at", laptop.address, "--name", "desktop")
        #expect(joined.contains("“workshop” invites this machine."), "\(joined)")
        #expect(joined.contains("in the account of “workshop”"), "\(joined)")
        let file = laptop.home + "/workshop.baton"
        #expect(try laptop.json("backup", file)["device"]["name"].string == "workshop")
    }

    @Test func `a name refers to the present device, and not to one that left or was revoked`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, old) = (account[0], account[1])
        let device = try laptop.json("devices", "desktop")["devices"].list[0]["device"]
        let before = try #require(device["id"].string)
        try old.must("leave", "--yes")
        try eventually("that it has left") {
            try laptop.json("devices", before)["devices"].list[0]["left"].boolean == true
        }
        let new = account.newMachine("desktop again")
        try new.must("join", try laptop.invite(), "--at", laptop.address, "--name", "desktop")
        try new.startNode()
        try eventually("the new one") {
            try laptop.json("status")["peers"].list.first?["inStep"].boolean == true
        }
        #expect(try laptop.json("devices")["devices"].list.count == 2)
        #expect(try laptop.json("devices", "--all")["devices"].list.count == 3)
        try laptop.must("start", "x", "--instance", "a", "--title", "Draft")
        try laptop.must("send", "desktop", "--instance", "a")
        expect(try laptop.baton("send", before, "--instance", "a"), 2)
    }

    @Test func `devices with the same name are shown with their IDs, and renaming to a used name is refused`()
        throws
    {
        let account = try Account("laptop", "desktop")
        let laptop = account[0]
        let new = account.newMachine("second")
        try new.must("join", try laptop.invite(), "--at", laptop.address, "--name", "desktop")
        let devices = try laptop.json("devices")["devices"].list.map { $0["device"] }
        let twins = devices.filter { $0["name"].string?.hasPrefix("desktop") == true }
        #expect(twins.count == 2)
        for twin in twins {
            let (name, id) = (try #require(twin["name"].string), try #require(twin["id"].string))
            #expect(name.hasPrefix("desktop (") && id.hasPrefix(name.dropFirst(9).dropLast()), "\(twins)")
            #expect(try laptop.json("devices", name)["devices"].list.count == 1)
        }
        try laptop.must("start", "x", "--instance", "a", "--title", "Draft")
        expect(try laptop.baton("send", "desktop", "--instance", "a"), 11)
        expect(try laptop.baton("rename", "desktop"), 2)
        // A machine renames itself only, and needs no other one for that.
        try new.startNode()
        try new.must("rename", "tower")
        try eventually("the new name") {
            let names = try laptop.json("devices")["devices"].list.compactMap { $0["device"]["name"].string }
            return names.sorted() == ["desktop", "laptop", "tower"]
        }
    }
}
