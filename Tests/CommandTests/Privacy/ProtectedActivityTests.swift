import Foundation
import Support
import Testing

/// `baton start --protected`, with real processes: the content is readable on the account's machines, and in no file.
@Suite struct `A protected activity` {
    /// A text that occurs nowhere else.
    private static let marker = "zanzibar-heron"
    /// The text of an activity that is not protected, which must be found wherever the other text is looked for.
    private static let openMarker = "pelican-fjord"

    /// The start of a protected activity with the marker in every place that takes a text.
    private static let start = [
        "start", "org.example.editing", "--protected", "--title", "About \(marker)", "--info",
        "\(marker)-key=\(marker)", "--url", "https://example.org/\(marker)", "--keyword", marker,
    ]

    /// The start of an activity that is not protected.
    private static let openStart = [
        "start", "org.example.reading", "--instance", "open", "--title", "About \(openMarker)",
    ]

    /// Expects that no file and no log contains the marker, where the text of the other activity is found.
    private func expectNoLeak(_ machines: Machine..., at moment: String) throws {
        for machine in machines {
            #expect(try machine.files(with: Self.marker) == [], "\(machine.name), \(moment)")
            #expect(try machine.files(with: Self.openMarker) != [], "\(machine.name), \(moment)")
            #expect(!machine.log.contains(Self.marker), "the log of \(machine.name), \(moment)")
            #expect(machine.log.contains(" starting in "), "the log of \(machine.name), \(moment)")
        }
    }

    @Test func `its content continues on the other machine, and no file or log contains it`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        try laptop.must(Self.openStart)
        try laptop.must(Self.start)
        try desktop.waitForActivity(titled: "About \(Self.openMarker)")
        let seen = try desktop.waitForActivity(titled: "About \(Self.marker)")
        #expect(seen["protected"] == .boolean(true))
        #expect(seen["url"] == .string("https://example.org/\(Self.marker)"))
        #expect(seen["keywords"] == .list([.string(Self.marker)]))
        try expectNoLeak(laptop, desktop, at: "while it goes on")

        // It is found by a word of its title, and arrives as it is.
        let continued = try desktop.json("continue", "heron")
        #expect(continued["activity"]["info"] == .object(["\(Self.marker)-key": .string(Self.marker)]))
        try expectNoLeak(laptop, desktop, at: "when it was continued")

        try laptop.must("update", "--info", "page=\(Self.marker)-2")
        let changed = try eventual("the change on the desktop") {
            try desktop.list().first { $0["info"]["page"] == .string("\(Self.marker)-2") }
        }
        #expect(changed["protected"] == .boolean(true))
        try expectNoLeak(laptop, desktop, at: "after a change")

        let backup = laptop.file("backup")
        try laptop.must("backup", backup)
        let saved = try #require(FileManager.default.contents(atPath: backup))
        #expect(saved.range(of: Data(Self.marker.utf8)) == nil, "the backup")
        #expect(saved.range(of: Data(Self.openMarker.utf8)) != nil, "the backup")

        try laptop.must("finish", "--instance", "open")
        try laptop.must("finish")
        for marker in [Self.openMarker, Self.marker] {
            try desktop.waitForEnd(ofActivityTitled: "About \(marker)")
            try eventually("the ended activity with \(marker) on the desktop") {
                try desktop.must("list", "--finished").contains(marker)
            }
        }
        try expectNoLeak(laptop, desktop, at: "after it ended")
        laptop.killNode()
        try laptop.startNode()
        try eventually("the ended activity after a kill") {
            try laptop.must("list", "--finished").contains(Self.marker)
        }
        try expectNoLeak(laptop, at: "after a kill")
    }

    @Test func `an ended one is found by its identifier, and not by words that find others`() throws {
        let account = try Account("laptop")
        let laptop = account[0]
        try laptop.must(Self.openStart)
        try laptop.must(Self.start)
        try laptop.must("finish", "--instance", "open")
        try laptop.must("finish")
        let ended = try #require(
            try laptop.json("list", "--finished")["activities"].list
                .first { $0["title"].string == "About \(Self.marker)" })
        let identifier = try #require(ended["id"].string)
        #expect(try laptop.must("show", identifier).contains("“About \(Self.marker)”"))
        // Both titles begin with the same word, so the search would find both.
        #expect(try laptop.must("search", Self.openMarker).contains("About \(Self.openMarker)"))
        let found = try laptop.must("search", "about")
        #expect(found.contains("About \(Self.openMarker)") && !found.contains(Self.marker), "\(found)")
        #expect(try !laptop.must("search", Self.marker).contains("About"))
    }

    @Test func `a change keeps it protected, and the command says that it is`() throws {
        let account = try Account("laptop")
        let laptop = account[0]
        try laptop.must(Self.start)
        try laptop.must("update", "--info", "page=1")
        let text = try laptop.must("show", "org.example.editing")
        #expect(text.contains("“About \(Self.marker)”") && text.contains("protected: its content is sealed"))
    }
}
