import BatonCore
import Support
import Testing

/// Items that one machine indexed are found on each.
@Suite struct `Searching between processes` {
    @Test func `items are found on each machine, with or without accents`() throws {
        let folder = try TemporaryFolder()
        let (laptop, desktop) = (Machine("laptop", in: folder), Machine("desktop", in: folder))
        _ = try laptop.must("init", "--no-confirm", "--name", "laptop")
        try laptop.startNode()
        for (number, title) in ["Résumé of the year", "Annual résumé", "東京都の天気"].enumerated() {
            _ = try laptop.must("index", "add", "org.example.notes", "note-\(number)", "--title", title)
        }
        try desktop.join(laptop)
        try desktop.startNode()
        try desktop.waitUntilConnected(with: laptop)
        for machine in [laptop, desktop] {
            try eventually("what the laptop has indexed, on \(machine.name)") {
                try machine.json("search", "resu")["results"].list.count == 2
            }
            let lines = try machine.must("search", "RESUME", "annu").split(separator: "\n")
            try #require(lines.count == 2, "a heading and one item")
            #expect(lines[0].firstMatch(of: /^TITLE +APP +ITEM +DEVICE +INDEXED$/) != nil)
            #expect(
                lines[1].firstMatch(of: /^Annual résumé +org.example.notes +note-1 +(here|laptop) +just now$/)
                    != nil)
            let found = try machine.json("search", "京都")
            #expect(found["complete"] == .boolean(true))
            #expect(found["results"].list.map { $0["title"].string } == ["東京都の天気"])
            #expect(try machine.must("search", "annual", "report") == "Nothing found.\n")
            #expect(try machine.json("search", "r", "--limit", "1")["results"].list.count == 1)
            for text in ["\"", "*", "(", "AND", "title:", "-", "a\" OR \"b"] {
                #expect(try machine.must("search", "--", text) == "Nothing found.\n", "\(text)")
            }
        }
    }

    @Test
    func `index commands change the index on both machines, whose digests are equal once they are in step`()
        throws
    {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        let app = "org.example.notes"
        _ = try laptop.must(
            "index", "add", app, "1", "--title", "Report", "--text", "About rain", "--domain", "work.a",
            "--keyword", "weather", "--expires", "3d")
        _ = try laptop.must("index", "add", app, "2", "--title", "Recipe", "--url", "https://example.org/2")
        #expect(try laptop.json("search", "weath")["results"].list.map { $0["item"]["id"].string } == ["1"])
        _ = try laptop.must("index", "update", app, "2", "--title", "Recipe with rain")
        #expect(try laptop.json("search", "rain")["results"].list.count == 2)
        #expect(try laptop.type(["baton", "index", "update", app, "3", "--title", "x"]).status == 11)
        #expect(try laptop.type(["baton", "index", "opened", app, "3"]).status == 11)
        _ = try laptop.must("index", "opened", app, "1")
        for machine in account.machines { try machine.waitUntilInStep() }
        let digest = try laptop.must("status", "--digest", "--at", "1h")
        #expect(digest.firstMatch(of: /^[0-9a-f]{64}\n$/) != nil)
        try eventually("one digest") { try desktop.must("status", "--digest", "--at", "1h") == digest }
        #expect(
            try laptop.must("status", "--digest", "--at", "4d") != digest, "one of them has expired by then")
        for passedOver in [
            ["clear", app, "2"], ["clear", app, "--title", "x"], ["state", app, "--text", "x"],
        ] {
            #expect(try desktop.type(["baton", "index"] + passedOver).status == 2, "\(passedOver)")
        }
        _ = try desktop.must("index", "clear", app, "--domain", "work")
        _ = try desktop.must("index", "delete", app, "2")
        try eventually("nothing") { try laptop.json("search", "rain")["results"].list.isEmpty }
        #expect(try laptop.json("settings", "items-per-app", "1")["items-per-app"] == .integer(1))
        #expect(try laptop.must("settings").contains("items-per-app   1\n"))
        _ = try laptop.must("index", "add", app, "5", "--title", "One")
        #expect(try laptop.type(["baton", "index", "add", app, "6", "--title", "Two"]).status == 17)
        #expect(
            try laptop.must("settings", "items-per-app", "default") == "items-per-app   5000000 (default)\n")
        _ = try laptop.must("index", "add", app, "6", "--title", "Two")
        #expect(try laptop.must("settings", "private", "on") == "private         on\n")
        #expect(try laptop.json("private")["private"] == .boolean(true))
        #expect(try laptop.json("settings", "private", "off")["private"] == .boolean(false))
        for wrong in [
            ["items-per-app", "-1"], ["items-per-app", "x"], ["frob"], ["frob", "1"], ["private", "1"],
        ] {
            #expect(try laptop.type(["baton", "settings"] + wrong).status == 2)
        }
        #expect(
            try laptop.must("index", "state", app)
                == "The app has stored no state, or some changes that it covers have not arrived yet.\n")
        #expect(try laptop.type(["baton", "index", "frob", app]).status == 2)
        let turned = try laptop.type(["baton", "index", app, "batch"])
        #expect(turned.status == 2 && turned.errors.contains("Type `baton index batch \(app)`."), "\(turned)")
        #expect(try laptop.type(["baton", "index", "add", app]).status == 2)
    }
}
