import Foundation
import Support
import Testing

/// `NSUserActivity` in real programs, with real nodes.
@Suite struct `Activities of programs in Swift` {
    @Test(arguments: ["runloop", "dispatch", "readline"])
    func `an activity continues in a program on another machine in its latest state`(way: String) throws {
        let account = try Account("laptop", "desktop")
        let (writing, reading) = (try account[0].program(way: way), try account[1].program(way: way))
        let place = way == "readline" ? "elsewhere" : "main"
        try writing.take("make a org.example.edit Draft", "set a file notes.txt", "current a")
        try reading.take("handle org.example.*")
        let listed = try account[1].waitForActivity(titled: "Draft")
        #expect(
            listed["activity"]["info"]["file"] == .string("notes.txt")
                || listed["info"]["file"] == .string("notes.txt"), "\(listed)")
        let answer = try eventual("a program that continues it") { () -> Answer? in
            let answer = try account[1].baton("continue")
            return answer.output.contains("continues in") ? answer : nil
        }
        #expect(answer.output.contains("fresh from its app on “laptop”"), "\(answer)")
        try writing.hear("save on \(place)")
        try writing.hear("continued Draft on \(place)")
        let heard = try reading.hear("continue org.example.edit Draft")
        #expect(heard.hasSuffix("by closure on \(place)"), "\(heard)")
        #expect(heard.contains("file=notes.txt") && heard.contains("saves="), "\(heard)")
    }

    @Test func `the values of a payload arrive with the types of Apple's classes`() throws {
        let account = try Account("laptop", "desktop")
        let (writing, reading) = (try account[0].program(), try account[1].program())
        try writing.take("make a org.example.kinds K", "kinds a", "current a")
        try reading.take("delegate org.example.kinds")
        try account[1].waitForActivity(titled: "K")
        try eventually("a program that continues it") {
            try account[1].baton("continue").output.contains("continues in")
        }
        let heard = try reading.hear("continue org.example.kinds K")
        for entry in ["integer=5", "real=1.5", "boolean=1", "text=t", "list=[1, 2]"] {
            #expect(heard.contains(entry), "\(entry) in \(heard)")
        }
    }

    @Test
    func `becoming current ends the previous activity, and a resigned activity can become current again`()
        throws
    {
        let laptop = try Account("laptop")[0]
        let program = try laptop.program()
        try program.take("make a org.example.edit A", "make b org.example.edit B", "search a", "current a")
        try laptop.waitForActivity(titled: "A")
        try program.take("current b")
        try laptop.waitForActivity(titled: "B")
        try laptop.waitForEnd(ofActivityTitled: "A")
        try program.take("current a")
        try laptop.waitForActivity(titled: "A")
        try laptop.waitForEnd(ofActivityTitled: "B")
        try program.take("resign a")
        try laptop.waitForEnd(ofActivityTitled: "A")
        try program.take("current a")
        try laptop.waitForActivity(titled: "A")
        try program.take("invalidate a")
        try laptop.waitForEnd(ofActivityTitled: "A")
        try program.take("current a", "current b")
        try laptop.waitForActivity(titled: "B")
        #expect(try laptop.list().map { $0["title"] } == [.string("B")])
        #expect(try laptop.json("search", "A")["results"].list.count == 1)
    }

    @Test func `an activity without a strong reference is withdrawn and never found`() throws {
        let laptop = try Account("laptop")[0]
        let program = try laptop.program()
        try program.take("make h org.example.edit Held", "search h", "current h")
        try laptop.waitForActivity(titled: "Held")
        try program.take("weak org.example.edit Loose")
        try laptop.waitForEnd(ofActivityTitled: "Held")
        try eventually("the held one found") { try !laptop.json("search", "held")["results"].list.isEmpty }
        program.closeInput()
        #expect(try program.wait() == 0)
        #expect(
            try laptop.json("list", "--finished")["activities"].list.map { $0["title"] } == [.string("Held")])
        #expect(try laptop.json("search", "loose")["results"].list.isEmpty)
    }

    @Test func `a flood of changes is merged, and the last state arrives`() throws {
        let account = try Account("laptop", "desktop")
        let program = try account[0].program()
        try program.take("make a org.example.edit Draft", "current a")
        try account[1].waitForActivity(titled: "Draft")
        try program.take("flood a 20000")
        try eventually("the last state") {
            let answer = try account[1].json("continue", "org.example.edit", "--no-handler")
            return answer["activity"]["info"]["number"] == .integer(20_000)
        }
        try program.take("dirty a")
        try program.hear("save on main")
    }

    @Test func `a payload that is too large is refused, and the activity is unchanged`() throws {
        let laptop = try Account("laptop")[0]
        let program = try laptop.program()
        try program.take("delegate org.example.x", "make a org.example.edit Draft", "set a k v", "current a")
        try laptop.waitForActivity(titled: "Draft")
        try program.take("large a 200000")
        try program.hear("not offered 4611")
        try program.take("large a 20")
        try eventually("the next state") {
            try laptop.list().first?["info"]["text"] == .string(String(repeating: "x", count: 20))
        }
    }

    @Test func `a program keeps its activity over a restart of the node, and starts without a node`() throws {
        let laptop = try Account("laptop")[0]
        laptop.killNode()
        let program = try laptop.program()
        try program.take("make a org.example.edit Draft", "current a", "handle org.example.edit")
        try laptop.startNode()
        try laptop.waitForActivity(titled: "Draft")
        laptop.killNode()
        try program.take("set a k v")
        try laptop.startNode()
        try eventually("the change that was made without a node") {
            try laptop.list().first?["info"]["k"] == .string("v")
        }
        try eventually("its registration") {
            try laptop.json("handlers")["handlers"].list.contains {
                $0["type"] == .string("org.example.edit")
            }
        }
        program.end(9)
        try laptop.waitForEnd(ofActivityTitled: "Draft")
    }

    @Test func `a stopped program does not block a continuation`() throws {
        let account = try Account("laptop", "desktop")
        let program = try account[0].program()
        try program.take("make a org.example.edit Draft", "set a k v", "current a")
        try account[1].waitForActivity(titled: "Draft")
        program.signal(SIGSTOP)
        let continued = try account[1].json("continue", "org.example.edit", "--no-handler")
        #expect(continued["source"] == .string("node"), "\(continued)")
        program.signal(SIGCONT)
        try program.take("set a k w")
        try eventually("the next state") {
            let continued = try account[1].json("continue", "org.example.edit", "--no-handler")
            return continued["source"] == .string("app") && continued["activity"]["info"]["k"] == .string("w")
        }
    }

    @Test func `an app saves once for a change and once for a continuation`() throws {
        let account = try Account("laptop", "desktop")
        let (writing, reading) = (try account[0].program(), try account[1].program())
        try writing.take("make a org.example.edit Draft", "current a")
        try reading.take("handle org.example.edit")
        try account[1].waitForActivity(titled: "Draft")
        try eventually("its registration") {
            try account[1].json("handlers")["handlers"].list.contains {
                $0["type"] == .string("org.example.edit")
            }
        }
        try writing.take("set a k v", "dirty a")
        try writing.hear("save on main")
        try eventually("the change") { try account[1].list().first?["info"]["k"] == .string("v") }
        #expect(try account[1].baton("continue").output.contains("continues in"))
        try writing.hear("continued Draft on main")
        #expect(writing.count(beginning: "save on") == 2, "\(writing.output)")
    }

    @Test
    func `delegates on the main actor are not called while the main thread blocks, and the program goes on`()
        throws
    {
        let account = try Account("laptop", "desktop")
        let (writing, reading) = (try account[0].program(), try account[1].program(way: "readline"))
        try writing.take("make a org.example.edit Draft", "current a")
        try reading.take("delegate org.example.edit")
        try account[1].waitForActivity(titled: "Draft")
        try eventually("the app that does not confirm") {
            try "\(account[1].baton("continue", "org.example.edit"))".contains("did not confirm")
        }
        try reading.take("make b org.example.note Note", "main b", "current b")
        try account[0].waitForActivity(titled: "Note")
        let continued = try account[0].json("continue", "org.example.note", "--no-handler")
        #expect(continued["source"] == .string("node"), "\(continued)")
        try reading.take("leave")
        #expect(reading.count(beginning: "continue") == 0 && reading.count(beginning: "saved") == 0)
    }

    @Test(arguments: ["runloop", "dispatch"])
    func `delegates on the main actor are called on the main thread`(way: String) throws {
        let account = try Account("laptop", "desktop")
        let (writing, reading) = (try account[0].program(way: way), try account[1].program(way: way))
        try writing.take("make a org.example.edit Draft", "main a", "current a", "dirty a")
        try writing.hear("saved by the main actor on main")
        try reading.take("delegate org.example.edit")
        try account[1].waitForActivity(titled: "Draft")
        try eventually("a program that continues it") {
            try account[1].baton("continue").output.contains("continues in")
        }
        #expect(try reading.hear("continue org.example.edit Draft").hasSuffix("by delegate on main"))
    }

    @Test func `an activity ends with its program, also if a forked child lives on`() throws {
        let laptop = try Account("laptop")[0]
        let program = try laptop.program()
        try program.take("make a org.example.edit Draft", "current a")
        try laptop.waitForActivity(titled: "Draft")
        try program.take("fork")
        let words = try program.hear("child ").split(separator: " ")
        let child = try #require(words.last.flatMap { pid_t($0) })
        defer { kill(child, SIGKILL) }
        try program.take("set a k v")
        try eventually("a change by the parent") {
            try laptop.list().first?["info"]["k"] == .string("v")
        }
        program.end(SIGKILL)
        try laptop.waitForEnd(ofActivityTitled: "Draft")
        #expect(kill(child, 0) == 0)
    }

    @Test func `saved activities are deleted by their identifiers`() throws {
        let laptop = try Account("laptop")[0]
        let program = try laptop.program()
        try program.take("make a org.example.edit A", "search a", "identify a one", "current a")
        try laptop.waitForActivity(titled: "A")
        try program.take("invalidate a")
        try eventually("the saved one") { try !laptop.json("search", "A")["results"].list.isEmpty }
        try program.take("delete one")
        try program.hear("deleted")
        #expect(try laptop.json("search", "A")["results"].list.isEmpty)
    }

    @Test func `an activity about an item is deleted with the item`() throws {
        let laptop = try Account("laptop")[0]
        let program = try laptop.program()
        try program.take("index n1", "make a org.example.edit A", "search a", "relate a n1", "current a")
        try program.hear("indexed true")
        try program.take("make b org.example.edit B", "search b", "relate b n2", "current b")
        try laptop.waitForActivity(titled: "B")
        try laptop.waitForEnd(ofActivityTitled: "A")
        let finished = { try laptop.json("list", "--finished")["activities"].list.map { $0["title"].string } }
        #expect(try finished() == ["A"])
        try program.take("unindex n1")
        try eventually("the end of the saved activity") { try finished().isEmpty }
        try program.take("unindex n2")
        try laptop.waitForEnd(ofActivityTitled: "B")
        #expect(try finished().isEmpty)
    }

    @Test func `an activity is found while its item is in the index, and deleted with its domain`() throws {
        let laptop = try Account("laptop")[0]
        let program = try laptop.program()
        let finished = {
            try Set(laptop.json("list", "--finished")["activities"].list.compactMap { $0["title"].string })
        }
        let found = { (words: String) in
            try laptop.json("search", words)["results"].list.contains { $0["kind"] != .string("item") }
        }
        try program.take("index n1 mail.inbox", "index n2 mailing")
        try program.hear("indexed true")
        for (name, line) in [
            ("Ash", "relate a n1"), ("Birch", "relate a n2"), ("Cedar", "relate a n3"),
            ("Date", "place a mail.inbox"), ("Elm", "place a mailing"),
        ] {
            try program.take("make a org.example.edit \(name)", "search a", line, "current a")
            try laptop.waitForActivity(titled: name)
            try program.take("invalidate a")
            try laptop.waitForEnd(ofActivityTitled: name)
        }
        try eventually("those with their items") { try found("ash") && found("birch") && found("date") }
        #expect(try !found("cedar"), "its item was never indexed")
        try program.take("index n3")
        try eventually("its item") { try found("cedar") }
        try program.take("clear mail")
        try program.hear("cleared true")
        try eventually("the end of what was in the domain") {
            try finished() == ["Birch", "Cedar", "Elm"]
        }
        #expect(try found("birch") && found("elm") && !found("ash"))
        // The item is in another index than the batch, so it is still there.
        try program.take("batch n2")
        try program.hear("ended true")
        try program.take("unindex n3")
        try eventually("the end of the last one") { try finished() == ["Birch", "Elm"] }
        #expect(try found("birch"))
        try program.take("unindex n2")
        try eventually("the end of that, too") { try finished() == ["Elm"] }
    }

    @Test func `an activity is deleted with its item although no node was running at that time`() throws {
        let laptop = try Account("laptop")[0]
        let program = try laptop.program()
        try program.take("index n1", "make a org.example.edit Ash", "search a", "relate a n1", "current a")
        try program.hear("indexed true")
        try laptop.waitForActivity(titled: "Ash")
        try program.take("invalidate a")
        try laptop.waitForEnd(ofActivityTitled: "Ash")
        laptop.killNode()
        try program.take("unindex n1")
        try program.hear("deleted true")
        try laptop.startNode()
        try eventually("the end of the saved activity") {
            try laptop.json("list", "--finished")["activities"].list.isEmpty
        }
    }

    @Test func `an activity that another machine takes over ends here`() throws {
        let account = try Account("laptop", "desktop")
        let (writing, reading) = (try account[0].program(), try account[1].program())
        try writing.take("make a org.example.edit Draft", "current a")
        try reading.take("handle org.example.edit")
        try account[1].waitForActivity(titled: "Draft")
        try eventually("a program that takes it over") {
            try account[1].baton("continue", "--take").output.contains("continues in")
        }
        try writing.hear("continued Draft on main")
        try account[0].waitForEnd(ofActivityTitled: "Draft")
    }
}
