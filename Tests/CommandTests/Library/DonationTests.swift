import Foundation
import Support
import Testing

/// Actions that an app donates, which `baton suggest` offers and the app alone carries out.
@Suite struct `Donations of an app` {
    private let account: Account
    private var laptop: Machine { account[0] }

    init() throws { account = try Account("laptop", "desktop") }

    private func titles(_ machine: Machine) throws -> [String] {
        try machine.json("suggest", "--limit", "20")["suggestions"].list.compactMap {
            $0["activity"]["title"].string
        }
    }

    /// The suggestion with that title, and its place in the list.
    private func number(_ title: String) throws -> String {
        let place = try titles(laptop).firstIndex(of: title)
        return String(try #require(place, "\(title)") + 1)
    }

    @Test func `equal donations of two processes become one action, which the app performs and can delete`()
        throws
    {
        let first = try laptop.program("org.example.soup")
        try first.take("donate 1 tomato lunch", "donate 2 onion")
        try first.hear("donated true")
        try eventually("both donations") { try Set(titles(laptop)) == ["Order tomato", "Order onion"] }
        first.closeInput()
        #expect(try first.wait() == 0)
        // Nothing carries it out while the app does not run.
        let alone = try laptop.baton("suggest", "--nth", try number("Order tomato"))
        #expect((alone.output + alone.errors).contains("Only org.example.soup can do this"), "\(alone)")
        let second = try laptop.program("org.example.soup")
        try second.take("delegate OrderSoupIntent org.example.clean", "donate 3 tomato lunch")
        try second.hear("donated true")
        #expect(try titles(laptop).count == 2, "the archive of the same intent is the same in each process")
        let why = try laptop.must("suggest", "--why")
        #expect(why.lowercased().contains("done in org.example.soup"), "\(why)")
        let answer = try laptop.must("suggest", "--nth", try number("Order tomato"))
        #expect(answer.contains("continues in"), "\(answer)")
        try second.hear("continue OrderSoupIntent Order tomato [nil] by delegate on main")
        try second.hear("interaction OrderSoupIntent tomato 3 lunch 1 true")
        try second.take("clean Wipe")
        try eventually("the third") { try titles(laptop).contains("Wipe") }
        _ = try laptop.must("suggest", "--nth", try number("Wipe"))
        try second.hear("continue org.example.clean Wipe [room=kitchen] by delegate on main")
        try second.hear("interaction INIntent - ")
        // Nothing of it is on the other machine.
        #expect(try titles(account[1]).isEmpty)
        try second.take("undonate 1")
        #expect(try Set(titles(laptop)) == ["Order tomato", "Order onion", "Wipe"], "3 is another donation")
        try second.take("undonate-group lunch", "undonate 2")
        try eventually("the deletions") { try titles(laptop) == ["Wipe"] }
        try second.take("undonate-all")
        try eventually("the last deletion") { try titles(laptop).isEmpty }
    }

    @Test func `an app is started to perform its donated action, and hostile text is not interpreted`() throws
    {
        let folder = laptop.home + "/apps"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try File.write(
            "{ types: ['org.example.edit'], run: ['\(Products.folder)/ActivityProgram', 'readline'], terminal: true }",
            to: "\(folder)/org.example.soup.json")
        let hostile = "$(touch<x>)';reboot;+!sh\u{1b}[2J"
        let donor = try laptop.program("org.example.soup")
        try donor.take("donate -c \(hostile) --group")
        try donor.hear("donated true")
        donor.closeInput()
        #expect(try donor.wait() == 0)
        let listed = try laptop.must("suggest", "--why")
        #expect(listed.contains("touch<x>") && !listed.utf8.contains(0x1b), "\(listed)")
        let program = try laptop.begin(["baton", "suggest", "--nth", "1"], hasInput: true)
        try program.hear("ready")
        try program.take("handle OrderSoupIntent")
        try program.hear("interaction OrderSoupIntent \(hostile) -c --group 1 true")
        program.closeInput()
        #expect(try program.wait() == 0)
    }

    @Test func `a donated message and song are performed with all their details`() throws {
        let app = try laptop.program("org.example.chat")
        try app.take("delegate INSendMessageIntent INPlayMediaIntent")
        for line in ["write Anna hello 500", "write Bo bye 9000", "play Yesterday"] {
            try app.take(line)
            try app.hear("donated true")
        }
        try eventually("the donations") {
            try Set(titles(laptop)) == ["Message to Anna", "Message to Bo", "Play Yesterday"]
        }
        _ = try laptop.must("suggest", "--nth", try number("Message to Anna"))
        try app.hear("message Anna hello true picture true code -1")
        // With its picture it would be too large.
        _ = try laptop.must("suggest", "--nth", try number("Message to Bo"))
        try app.hear("message Bo bye true picture false code -1")
        _ = try laptop.must("suggest", "--nth", try number("Play Yesterday"))
        try app.hear("play Yesterday true code 4")
    }

    @Test func `a file used at several lines is suggested once, at the last line`() throws {
        try File.write("1\n2\n3\n", to: account.folder.path + "/notes.md")
        let notes = account.folder.path + "/notes.md"
        for place in ["\(notes):1", "\(notes):3", "org.example.other", "\(notes):2", "org.example.other"] {
            try laptop.must("start", place, "--instance", "one")
            // It is learnt at once, and not some seconds later.
            _ = try titles(laptop)
        }
        let made = try laptop.json("suggest", "--limit", "20")["suggestions"].list
        let file = try #require(made.first)["activity"]
        #expect(made.count == 1 && file["title"].string == "notes.md", "\(made)")
        #expect(try laptop.must("continue", file["id"].string ?? "", "--print").contains("+2 "))
        #expect(
            try laptop.json("list", "--finished")["activities"].list.filter {
                $0["title"].string == "notes.md"
            }.count == 1)
    }
}
