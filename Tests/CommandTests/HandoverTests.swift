import Foundation
import Support
import Testing

/// The main purpose, with real processes: an activity of one machine is continued on another.
@Suite struct `Continuing activities between processes` {
    @Test
    func `an activity continues on the other machine with its payload, and the first machine is notified`()
        throws
    {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        let started = try laptop.must(
            "start", "org.example.editing", "--title", "Draft", "--url", "https://example.org/draft",
            "--keyword", "b",
            "--keyword", "a", "--info", "file=report 1.md", "--info", "line:=42", "--info", "zoom:=1.5",
            "--info", "dark:=true", "--info", "selection:=null", "--info", "far:=-9223372036854775808",
            "--info", "empty=", "--info", "sum=1+1=2", "--expires", "2h")
        let id = try #require(started.firstMatch(of: /^Started “Draft” \(([0-9a-z]+)\)\.\n$/)?.1)

        let activity = try desktop.waitForActivity(titled: "Draft")
        let continued = try desktop.json("continue", String(id))
        #expect(continued["source"] == .string("node"))
        #expect(continued["activity"]["info"] == activity["info"])
        #expect(
            activity["info"]
                == .object([
                    "file": .string("report 1.md"), "line": .integer(42), "zoom": .real(1.5),
                    "dark": .boolean(true),
                    "selection": .null, "far": .integer(.min), "empty": .string(""), "sum": .string("1+1=2"),
                ]))
        #expect(activity["url"] == .string("https://example.org/draft"))
        #expect(activity["keywords"] == .list([.string("a"), .string("b")]))
        #expect(activity["type"] == .string("org.example.editing"))
        #expect(
            activity["device"]["name"] == .string("laptop") && activity["device"]["here"] == .boolean(false))

        try eventually("a laptop that was told") {
            try laptop.list().first?["continued"]["device"]["name"] == .string("desktop")
        }
        #expect(try laptop.must("list").contains("continued on desktop"))
        #expect(laptop.log.contains("“Draft” was continued on “desktop”"))
    }

    @Test func `list, show and continue present the same activity to people and to programs`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        #expect(try laptop.must("list").contains("Nothing is going on."))
        try laptop.must(
            "start", "reading", "--title", "Paxos made simple", "--info", "page:=3", "--info",
            "note=two\nlines")
        try desktop.waitForActivity(titled: "Paxos made simple")

        let list = try desktop.must("list").split(separator: "\n")
        try #require(list.count == 2, "a heading and one activity")
        #expect(list[0].firstMatch(of: /^ID +DEVICE +KIND +TITLE +AGE$/) != nil)
        #expect(list[1].firstMatch(of: /^[0-9a-z]{7} +laptop +app +Paxos made simple +now$/) != nil)
        let lines = try desktop.must("continue", "reading").split(separator: "\n")
        #expect(lines.contains("“Paxos made simple”") && lines.contains("reading"))
        #expect(lines.contains { $0.firstMatch(of: /^fresh from “laptop”, [0-9.]+ ms$/) != nil })
        #expect(lines.contains("page = 3") && lines.contains("note = two\\nlines"))
    }

    @Test func `an update arrives on the other machine, and a finished activity disappears there`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        try laptop.must("start", "editing", "--title", "one", "--info", "line=1", "--info", "file=x")
        let before = try desktop.waitForActivity(titled: "one")
        try laptop.must("update", "--title", "two", "--info", "line:=2", "--remove-info", "file")
        let after = try desktop.waitForActivity(titled: "two")
        #expect(after["id"] == before["id"] && after["started"] == before["started"])
        #expect(after["info"] == .object(["line": .integer(2)]))
        let (earlier, later) = (try #require(before["changed"].date), try #require(after["changed"].date))
        #expect(earlier < later)
        #expect(try desktop.list().count == 1)

        try laptop.must("finish")
        try desktop.waitForEnd(ofActivityTitled: "two")
        let answer = try desktop.baton("continue", "editing")
        #expect(answer.status == 11, "\(answer)")
    }

    @Test func `activities can be handed over in both directions`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        try desktop.must("start", "editing", "--title", "from the desktop", "--info", "line:=7")
        try laptop.must("start", "editing", "--title", "from the laptop")
        try laptop.waitForActivity(titled: "from the desktop")
        try desktop.waitForActivity(titled: "from the laptop")
        // A type means another machine's activity before one's own.
        let continued = try laptop.json("continue", "editing")
        #expect(continued["activity"]["title"] == .string("from the desktop"))
        #expect(continued["activity"]["info"] == .object(["line": .integer(7)]))
        #expect(try desktop.json("continue")["activity"]["title"] == .string("from the laptop"))
        try eventually("a desktop that was told") {
            try desktop.list().contains { $0["continued"]["device"]["name"] == .string("laptop") }
        }
    }

    @Test func `a third machine continues an activity that arrived through the first`() throws {
        let account = try Account("laptop", "desktop", "tablet")
        for machine in account.machines {
            try machine.must(
                "start", "editing", "--title", "on \(machine.name)", "--info", "from=\(machine.name)")
        }
        for machine in account.machines {
            for other in account.machines { try machine.waitForActivity(titled: "on \(other.name)") }
            #expect(try machine.json("devices")["devices"].list.count == 3)
        }
        let continued = try account[2].json(
            "continue",
            try #require(
                try account[2].waitForActivity(titled: "on desktop")["id"].string))
        #expect(continued["activity"]["info"] == .object(["from": .string("desktop")]))
    }
}
