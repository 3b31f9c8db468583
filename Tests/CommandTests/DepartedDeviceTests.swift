import Support
import Testing

/// The activities of machines that left the account, were removed, or were revoked.
@Suite struct `Activities of a machine that departed` {
    private func demandHidden(
        on laptop: Machine, _ identifier: String, as departure: String, _ words: String
    ) throws {
        try laptop.waitForEnd(ofActivityTitled: "ghost")
        #expect(try laptop.baton("continue", "--print").status == 11)
        #expect(try laptop.baton("continue", "org.example.ghost", "--print").status == 11)
        let all = try laptop.json("list", "--all")["activities"].list
        let ghost = try #require(all.first { $0["title"].string == "ghost" })
        #expect(ghost["departed"].string == departure)
        #expect(try laptop.must("list", "--all").contains("its machine \(words)"))
        #expect(try laptop.must("show", identifier).contains("its machine \(words)"))
    }

    private func ghost(on desktop: Machine, seenBy laptop: Machine) throws -> String {
        try desktop.must("start", "org.example.ghost", "--title", "ghost")
        return try #require(try laptop.waitForActivity(titled: "ghost")["id"].string)
    }

    @Test func `activities of a revoked machine are not listed, and can be shown by their IDs`() throws {
        let account = try Account("laptop", "desktop")
        let identifier = try ghost(on: account[1], seenBy: account[0])
        try account[0].must("revoke", "desktop", "--yes")
        try demandHidden(on: account[0], identifier, as: "revoked", "was revoked")
        // It can still be continued by its ID, in its last state.
        let continued = try account[0].must("continue", identifier)
        #expect(continued.contains("“desktop” was revoked: as it was last known here"), "\(continued)")
    }

    @Test func `activities of a removed machine are listed again once the machine returns`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        let identifier = try ghost(on: desktop, seenBy: laptop)
        desktop.killNode()
        try eventually("the end of a connection") {
            try laptop.json("status")["peers"].list.allSatisfy { $0["connected"].boolean == false }
        }
        try laptop.must("remove", "desktop")
        try demandHidden(on: laptop, identifier, as: "removed", "was removed")
        try desktop.startNode()
        try laptop.waitForActivity(titled: "ghost")
    }
}
