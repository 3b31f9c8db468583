import Foundation
import Support
import Testing

/// Protected indexes, with real processes: items are found on the account's machines, and their content is in no file.
@Suite struct `A protected index` {
    /// A text that occurs nowhere else, and one that an item without protection has.
    private static let (marker, control) = ("zanzibar-heron", "quetzal-finch")
    private static let app = "org.example.notes"

    /// Expects that the marker is in no file and no log, and that the same search finds the other text.
    private func expectNoLeak(_ machines: Machine..., at moment: String) throws {
        for machine in machines {
            #expect(try machine.files(with: Self.marker) == [], "\(machine.name), \(moment)")
            #expect(!machine.log.contains(Self.marker), "the log of \(machine.name), \(moment)")
            #expect(
                try !machine.files(with: Self.control).isEmpty,
                "the control of \(machine.name), \(moment)")
        }
    }

    private func add(_ identifier: String, title: String, in domain: String, on machine: Machine) throws {
        try machine.must(
            "index", "add", Self.app, "\(Self.marker)-\(identifier)", "--protected", "--title", title,
            "--text",
            "text of \(Self.marker)", "--domain", domain, "--url", "https://example.org/\(Self.marker)",
            "--keyword",
            Self.marker)
    }

    /// The titles of the items that a search finds.
    private func titles(_ words: String, on machine: Machine) throws -> [String] {
        try machine.json("search", words)["results"].list.compactMap { $0["title"].string }.sorted()
    }

    @Test func `its items are found on both machines, and no file or log contains them`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        try laptop.must("index", "add", Self.app, "other", "--title", "About a \(Self.control)")
        try add("1", title: "First \(Self.marker)", in: "\(Self.marker).a", on: laptop)
        try add("2", title: "Second \(Self.marker)", in: "\(Self.marker).b", on: laptop)
        let both = ["First \(Self.marker)", "Second \(Self.marker)"]
        #expect(try titles("heron", on: laptop) == both)
        try eventually("the items on the desktop") { try titles("heron", on: desktop) == both }
        try eventually("the other item on the desktop") { try titles("quetzal", on: desktop).count == 1 }
        try expectNoLeak(laptop, desktop, at: "after indexing")

        let item = try #require(try desktop.json("search", "second heron")["results"].list.first)["item"]
        #expect(item["id"] == .string("\(Self.marker)-2") && item["domain"] == .string("\(Self.marker).b"))
        #expect(item["protected"] == .boolean(true) && item["index"] == .string("default"))

        // Changes on one machine reach the other one.
        try desktop.must(
            "index", "update", Self.app, "\(Self.marker)-2", "--protected", "--title", "Third \(Self.marker)",
            "--domain",
            "\(Self.marker).c")
        try eventually("the update on the laptop") {
            try titles("heron", on: laptop) == [both[0], "Third \(Self.marker)"]
        }
        try desktop.must("index", "opened", Self.app, "\(Self.marker)-2", "--protected")
        try desktop.must("index", "clear", Self.app, "--protected", "--domain", "\(Self.marker).a")
        try eventually("the clear on the laptop") {
            try titles("heron", on: laptop) == ["Third \(Self.marker)"]
        }
        try expectNoLeak(laptop, desktop, at: "after an update and a clear")

        let backup = laptop.file("backup")
        try laptop.must("backup", backup)
        let saved = try #require(FileManager.default.contents(atPath: backup))
        #expect(saved.range(of: Data(Self.marker.utf8)) == nil, "the backup")
        laptop.killNode()
        try expectNoLeak(laptop, at: "after a kill")
        try laptop.startNode()
        #expect(try titles("heron", on: laptop) == ["Third \(Self.marker)"])
        try laptop.must("index", "delete", Self.app, "\(Self.marker)-2", "--protected")
        #expect(try titles("heron", on: laptop) == [])
        try eventually("the deletion on the desktop") { try titles("heron", on: desktop) == [] }
        try expectNoLeak(laptop, desktop, at: "after a deletion")
    }

    @Test func `a batch with a client state goes on from the other machine`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        let lines = """
            {"item": "1", "title": "One \(Self.marker)"}
            {"item": "2", "title": "Two \(Self.marker)"}
            {"state": "up to 2"}

            """
        let words = ["baton", "index", "batch", Self.app, "--protected", "--index", "jobs"]
        let batch = try laptop.begin(words, hasInput: true)
        batch.write(Array(lines.utf8))
        batch.closeInput()
        #expect(try batch.wait() == 0, "\(batch.errors)")
        try eventually("the state on the desktop") {
            try desktop.baton("index", "state", Self.app, "--protected", "--index", "jobs").output.contains(
                "up to 2")
        }
        #expect(try titles("heron", on: desktop).count == 2)
        // The index of the same name without protection is another one.
        #expect(try !desktop.baton("index", "state", Self.app, "--index", "jobs").output.contains("up to 2"))
    }

    @Test func `an app written for Apple's systems uses it by its protection`() throws {
        let account = try Account("laptop")
        let numbers = IndexedNumbers(machine: account[0])
        #expect(try numbers.run("protected") == ["state 5", "1,3,4,5 1,3,4,5", " ", " ", "4 left", "done"])
        #expect(try account[0].files(with: "protected 3") == [])
    }
}
