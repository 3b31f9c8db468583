import Support
import Testing

/// Commands about machines that are lost, gone or renamed, and their output.
@Suite struct `Commands about the machines of an account` {
    /// The short identifiers of all machines, by their names.
    private func shorts(_ machine: Machine) throws -> [String: String] {
        var shorts: [String: String] = [:]
        for device in try machine.json("devices", "--all")["devices"].list {
            guard let name = device["device"]["name"].string, let id = device["device"]["id"].string else {
                continue
            }
            shorts[name] = String(id.prefix(7))
        }
        return shorts
    }

    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init)
    }

    /// The cells of a device's row, which are separated by two or more spaces.
    private func row(_ name: String, on machine: Machine) throws -> [String] {
        let table = lines(try machine.must("devices", "--all"))
        #expect(table.first?.hasPrefix("DEVICE") == true)
        let row = try #require(table.first { $0.hasPrefix(name + " ") }, "\(table)")
        return row.split(separator: "  ").map { String($0.drop { $0 == " " }) }
    }

    @Test func `devices shows a device's last contact, version and clock, also after a restart`()
        throws
    {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        #expect(try laptop.must("devices", "desktop").contains("\n  Baton 0.1.0, its clock is right\n"))
        let before = try laptop.json("devices", "desktop")["devices"].list[0]["seen"].string
        #expect(before != nil)
        #expect(try desktop.stopNode() == 0)
        #expect(try laptop.stopNode() == 0)
        try laptop.startNode()
        #expect(try row("desktop", on: laptop).last?.hasPrefix("not connected, last seen ") == true)
        let after = try laptop.json("devices", "desktop")["devices"].list[0]
        #expect(after["version"].string == "0.1.0" && after["seen"].string != nil)
        let details = try laptop.must("devices", "desktop")
        #expect(details.contains("\n  when last connected: Baton 0.1.0, its clock was right\n"), "\(details)")
    }

    @Test func `revoke asks for confirmation, and explains the consequences`() throws {
        let account = try Account("laptop", "desktop", "phone")
        let (laptop, desktop, phone) = (account[0], account[1], account[2])
        let short = try #require(try shorts(laptop)["phone"])
        #expect(
            try Array(row("laptop", on: desktop)[1...2]) == [try shorts(laptop)["laptop"] ?? "", "owner"])
        #expect(try row("phone", on: desktop)[2] == "device")

        // Not on a machine that is not an owner, and not without consent.
        expect(try desktop.baton("revoke", "phone", "--yes"), 14, advice: "baton revoke phone")
        expect(try laptop.baton("revoke", "phone"), 2)
        expect(try laptop.baton("revoke", "nobody", "--yes"), 11, advice: "baton devices")
        let terminal = try PseudoTerminal()
        let declined = try laptop.begin(["baton", "revoke", "phone"], terminal: terminal)
        try eventually("a question") { declined.output.contains("Revoke it? [y/N]\n") }
        #expect(
            declined.output.firstMatch(
                of:
                    /^“phone” \([0-9a-z]{7}\) is connected .*, in step\.\nlast change received: .+, (?:directly|through .+)\nchanges received over its connections: \d+, the last one .+\nA revoked machine can't come back; it would have to join again, as a new one\.\nRevoke it\? \[y\/N\]\n$/
            ) != nil, "\(declined.output)")
        terminal.type("no")
        #expect(try declined.wait() == 1)
        #expect(declined.errors == "baton: Nothing has changed.\n")
        #expect(try row("phone", on: laptop)[2] == "device")

        let agreed = try laptop.begin(["baton", "revoke", short], terminal: terminal)
        try eventually("a question") { agreed.output.contains("Revoke it? [y/N]\n") }
        terminal.type("yes")
        #expect(try agreed.wait() == 0, "\(agreed.errors)")
        #expect(
            lines(agreed.output).suffix(6).prefix(4) == [
                "“phone” (\(short)) is revoked.",
                "Machines that know of this refuse it.",
                "Other machines learn of this when they connect to one of these.",
                "The revoked machine keeps its data.",
            ])
        // The last change that was received is shown for this device alone, and stays visible, like the number of those
        // that came over its connections.
        let changes = lines(agreed.output).suffix(2)
        #expect(
            changes.first?.hasPrefix("Its earlier changes stay; last change received: ") == true, "\(changes)"
        )
        #expect(changes.last?.contains("changes received over its connections: ") == true, "\(changes)")
        let known = lines(try laptop.must("devices", short))
        #expect(known.count > 2 && known[0].hasPrefix("phone (") && known[0].contains("revoked "), "\(known)")
        #expect(known.dropLast().last?.hasPrefix("  last change received: ") == true, "\(known)")
        #expect(known.last?.hasPrefix("  changes received over its connections: ") == true, "\(known)")
        expect(try laptop.baton("devices", "nobody"), 11, advice: "baton devices")
        expect(try laptop.baton("revoke", "phone", "--yes"), 1)

        // Every machine shows the revocation like this, also the revoked one.
        try eventually("that it is out; \(desktop.log)") {
            try row("phone", on: desktop)[2].hasPrefix("revoked ")
        }
        #expect(try row("phone", on: desktop)[2].hasSuffix(" by “laptop”"))
        #expect(try !desktop.must("status").contains("phone"))
        let all = try laptop.json("devices", "--all")["devices"].list
        let told = all.first { $0["device"]["name"].string == "phone" }
        #expect(told?["revoked"]["by"].string == "laptop" && told?["connected"].boolean == false)
        try eventually("a word on the phone; \(phone.log)") {
            try phone.must("status").contains(
                "refused this device: that device was revoked")
        }
        let status = try phone.must("status")
        #expect(status.contains("and here the command that it shows"), "\(status)")
        #expect(
            status.contains("; it refused this device: that device was revoked; type"), "\(status)")
        // Only the remaining machines are waited for.
        try laptop.waitUntilInStep()
    }

    @Test func `a machine can revoke itself`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        let short = try #require(try shorts(laptop)["laptop"])
        let terminal = try PseudoTerminal()
        let revoking = try laptop.begin(["baton", "revoke", "laptop"], terminal: terminal)
        try eventually("a question") { revoking.output.contains("Revoke it? [y/N]\n") }
        terminal.type("yes")
        #expect(try revoking.wait() == 0, "\(revoking.errors)")
        #expect(
            lines(revoking.output) == [
                "“laptop” (\(short)) is this machine.",
                "It will no longer be able to talk to your other machines.",
                "It is an owner: its key will no longer admit or revoke machines.",
                "It is the last owner. Until another machine becomes one with the recovery code (`baton promote`), no machine can be admitted, revoked or renewed.",
                "A revoked machine can't come back; it would have to join again, as a new one.",
                "Revoke it? [y/N]",
                "“laptop” (\(short)) is revoked.",
                "Its owner key is revoked, too; the machines that it admitted stay.",
                "Your other machines refuse it as soon as they learn of this.",
                "This machine keeps its data.",
            ])
        #expect(try laptop.must("status").contains("trouble: this device was revoked. The data here is kept"))
        try eventually("that it is out; \(desktop.log)") {
            try row("laptop", on: desktop)[2].hasPrefix("revoked ")
        }
        expect(try laptop.baton("revoke", "desktop", "--yes"), 14)
    }

    @Test func `a removed machine becomes a member again when it reconnects, and can be renamed`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        let short = try #require(try shorts(laptop)["desktop"])
        expect(try laptop.baton("remove", "desktop"), 1, advice: "baton revoke")
        expect(try laptop.baton("remove", "laptop"), 2)
        #expect(try desktop.stopNode() == 0)
        try eventually("its end") { try laptop.must("status").contains("not connected") }
        #expect(
            lines(try laptop.must("remove", "desktop")) == [
                "“desktop” (\(short)) is removed: no machine waits for it any more.",
                "It comes back by itself when it connects to one of your machines.",
                "If it was lost or stolen, type `baton revoke \(short)`.",
            ])
        #expect(try row("desktop", on: laptop)[2].hasPrefix("removed "))
        #expect(
            try laptop.must("status").contains("; it comes back when it connects again"))
        try laptop.waitUntilInStep()
        try desktop.startNode()
        try desktop.waitUntilConnected(with: laptop)
        try eventually("that it is back") { try row("desktop", on: laptop)[2] == "device" }

        #expect(try desktop.must("rename", "attic") == "The device \(short) is now called “attic”.\n")
        try eventually("its newest name") { try shorts(laptop)["attic"] == short }
        expect(try laptop.baton("rename", ""), 2)
    }
}
