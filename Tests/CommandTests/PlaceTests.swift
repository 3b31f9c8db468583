import Foundation
import Support
import Testing

/// Starting and continuing with a path, an address or a part of a title.
@Suite struct `Places and titles` {
    private let account: Account
    /// A folder below the home folder that all these machines share.
    private let work: String

    init() throws {
        account = try Account("laptop", "desktop")
        work = (account[0].home as NSString).deletingLastPathComponent + "/work"
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
        try File.write("", to: work + "/notes.md")
    }

    private var laptop: Machine { account[0] }
    private var desktop: Machine { account[1] }

    /// Runs a line in a shell of the laptop, in the working folder.
    private func type(_ line: String) throws -> Answer {
        try laptop.type(["sh", "-c", "cd '\(work)' && \(line)"])
    }

    @Test func `a folder, a line of a file and an address can be started and continued`() throws {
        for (words, type, title, info) in [
            (".", "org.baton.folder", "work", ["folder": JSONValue.string("~/work")]),
            (
                "notes.md:42", "org.baton.file", "notes.md",
                ["file": .string("~/work/notes.md"), "line": .integer(42)]
            ),
            ("https://example.org/a", "org.baton.web", "example.org/a", [:]),
            (
                "org.baton.folder --title typed --info folder=.", "org.baton.folder", "typed",
                ["folder": .string("~/work")]
            ),
            (
                "org.example.note --title other --info file=./x", "org.example.note", "other",
                ["file": .string("~/work/x")]
            ),
        ] as [(String, String, String, [String: JSONValue])] {
            let answer = try self.type("baton start \(words) --instance a")
            #expect(answer.status == 0, "\(answer)")
            let listed = try desktop.waitForActivity(titled: title)
            #expect(listed["type"].string == type && listed["info"] == .object(info), "\(listed)")
        }
        let started = try self.type("baton start org.baton.folder --instance a --title x")
        #expect(started.status == 0, "\(started)")
        let updated = try self.type("baton update --instance a --info folder=sub --title then")
        #expect(updated.status == 0, "\(updated)")
        let then = try desktop.waitForActivity(titled: "then")
        #expect(then["info"] == .object(["folder": .string("~/work/sub")]))
        expect(try self.type("baton start ./nothing"), 11)
    }

    @Test func `a part of a title names an activity, and an ambiguous part is refused with the matches`()
        throws
    {
        try laptop.must("start", "a.b", "--instance", "1", "--title", "Résumé of the year")
        try laptop.must("start", "c.d", "--instance", "2", "--title", "Shopping for the year")
        for title in ["Résumé of the year", "Shopping for the year"] {
            try desktop.waitForActivity(titled: title)
        }
        #expect(try desktop.json("continue", "resume")["activity"]["type"] == .string("a.b"))
        #expect(try desktop.must("show", "SHOPPING").hasPrefix("“Shopping for the year”\n"))
        let several = try desktop.baton("continue", "the year")
        expect(several, 11)
        for title in ["“Résumé of the year”", "“Shopping for the year”"] {
            #expect(several.errors.contains(title), "\(several)")
        }
        expect(try desktop.baton("continue", "the decade"), 11, advice: "baton list")
    }

    @Test func `a forgotten activity is listed by --all, and listed normally again after --undo`() throws {
        for number in 1...3 {
            try laptop.must("start", "x", "--instance", "\(number)", "--title", "n\(number)")
        }
        let ids = try (1...3).map { number in
            try #require(try desktop.waitForActivity(titled: "n\(number)")["id"].string)
        }
        let answer = try desktop.baton("forget", ids[0], "nothing", ids[1])
        expect(answer, 11)
        #expect(try desktop.list().compactMap { $0["title"].string } == ["n3"])
        let all = try desktop.must("list", "--all")
        #expect(all.split(separator: "\n").count { $0.contains("  forgotten") } == 2, "\(all)")
        try desktop.must("forget", "--undo", ids[0], ids[1])
        #expect(try desktop.list().count == 3)
        expect(try desktop.baton("forget", "--undo", ids[2]), 11, advice: "baton list --all")
        // While the node is running, and after a restart.
        desktop.killNode()
        try desktop.startNode()
        #expect(try desktop.list().count == 3)
    }

    @Test
    func `a shell's next activity is not marked as continued, and the previous one is kept as finished`()
        throws
    {
        try laptop.must("start", "editing", "--instance", "a", "--title", "First")
        try desktop.waitForActivity(titled: "First")
        try desktop.must("continue", "editing", "--no-handler")
        try eventually("a laptop that was told") {
            try laptop.list().first?["continued"]["device"]["name"].string == "desktop"
        }
        try laptop.must("start", "editing", "--instance", "a", "--title", "Second")
        let listed = try laptop.list()
        #expect(listed.count == 1 && listed[0]["title"].string == "Second" && listed[0]["continued"] == .null)
        let finished = try laptop.json("list", "--finished")["activities"].list
        #expect(finished.compactMap { $0["title"].string } == ["First"])
        // The same activity goes on.
        try laptop.must("start", "editing", "--instance", "a", "--title", "Second")
        #expect(try laptop.json("list", "--finished")["activities"].list.count == 1)
    }

    @Test func `search --open at a terminal opens an address after confirmation`() throws {
        let opened = work + "/opened"
        try File.writeProgram("#!/bin/sh\necho \"$@\" >'\(opened)'\n", to: work + "/xdg-open")
        laptop.variables["PATH"] = "\(work):\(Products.folder):/usr/bin:/bin"
        let url = "https://example.org/1"
        try laptop.must("index", "add", "org.example.notes", "1", "--title", "Recipe", "--url", url)
        #expect(try laptop.must("search", "recipe").contains("  https://example.org/1\n"))
        expect(try laptop.baton("search", "recipe", "--open"), 2)
        let terminal = try PseudoTerminal()
        for (word, status) in [("n", 1), ("y", 0)] as [(String, Int32)] {
            let process = try laptop.begin(["baton", "search", "recipe", "--open"], terminal: terminal)
            try eventually("a question: \(process.errors)") {
                process.output.contains("Open https://example.org/1 ? [y/N]\n")
            }
            #expect(File.read(opened) == nil)
            terminal.type(word)
            #expect(try process.wait() == status, "\(process.errors)")
        }
        #expect(File.read(opened) == "https://example.org/1\n")
    }
}
