import Foundation
import Support
import Testing

/// The app of Examples/Notes, written with Apple's libraries, on machines with real nodes.
@Suite struct `An app with Apple's libraries` {
    private let account: Account
    private var laptop: Machine { account[0] }
    private var desktop: Machine { account[1] }

    init() throws { account = try Account("laptop", "desktop") }

    // MARK: Searching

    @Test func `a note is found on the other machine, and opened in the app there`() throws {
        let (here, there) = (try NotesAtWork(laptop), try NotesAtWork(desktop))
        for notes in [here, there] {
            try notes.write("garden/Roses", "# Roses\n\nCut them back in #march.\n")
        }
        try here.start()
        try here.waitFor("Indexed 1 note.")
        let found = try eventual("the note on the desktop") {
            try desktop.json("search", "roses")["results"].list.first
        }
        #expect(found["item"]["id"] == .string("garden/Roses"), "\(found)")
        #expect(found["item"]["app"] == .string("org.example.notes"), "\(found)")
        #expect(try desktop.json("search", "march", "back")["results"].list.count == 1)

        try there.start()
        try eventually("that the app opens it: \(there.output)") {
            try desktop.baton("search", "roses", "--open").status == 0
        }
        try there.waitFor("3  Cut them back in #march.")
        try desktop.must("search", "--in", "org.example.notes", "cut", "roses")
        try there.waitFor("1  Roses  Cut them back in #march.")
        try there.type("1", waitingFor: "Type lines.")
        for notes in [here, there] { try notes.quit() }
    }

    @Test func `an intent makes a note without the app running, and the other machine finds it`() throws {
        let app = Products.folder + "/Notes"
        func run(_ words: String...) throws -> Answer {
            try laptop.type([app, "intents", "run"] + words)
        }
        let made = try run("NewNote", "--name", "Garden", "--text", "Sow peas.")
        #expect(made.status == 0 && made.output.contains("“Garden” is in "), "\(made)")
        let added = try run("AddLine", "--note", "garden", "--text", "Cut the roses.")
        #expect(added.status == 0 && added.output.contains("“Garden” has 3 lines now."), "\(added)")
        let found = try eventual("the note on the desktop") {
            try desktop.json("search", "roses")["results"].list.first
        }
        #expect(found["item"]["id"] == .string("Garden"), "\(found)")
        let again = try run("NewNote", "--name", "Garden")
        #expect(again.status == 1, "\(again)")
        let missing = try run("AddLine", "--note", "Kitchen", "--text", "Bake.")
        #expect(missing.status == 11, "\(missing)")
    }

    @Test func `notes are found by their properties on a machine where the app never ran`() throws {
        for (name, text) in [
            ("Kitchen", "Bake in #march."), ("Cellar", "Turn the cheese."), ("Garden", "Sow peas in #march."),
        ] {
            let app = Products.folder + "/Notes"
            let made = try laptop.type([app, "intents", "run", "NewNote", "--name", name, "--text", text])
            #expect(made.status == 0, "\(made)")
        }
        let query = [
            "find", "Note", "--where", #"tags == "march" && title != "Kitchen""#, "--sort", "-modified",
        ]
        try eventually("the note on the desktop") {
            let found = try desktop.type(["baton"] + query)
            return found.status == 0 && found.output.split(separator: "\n").count == 2
                && found.output.contains("Garden  Garden")
        }
        let mistake = try desktop.baton("find", "Note", "--sort", "modifed")
        #expect(mistake.status == 2 && mistake.errors.contains("Did you mean modified?"), "\(mistake)")
    }

    @Test func `the app finds notes by words and by date, and suggests words`() throws {
        let notes = try NotesAtWork(laptop)
        try notes.start()
        try notes.type("new work/Annual report", waitingFor: "1  # Annual report")
        notes.type("All of the year's figures", ".")
        try notes.type("new Announcement", waitingFor: "1  # Announcement")
        notes.type(".")
        try notes.waitFor("Announcement  (")
        try notes.type("search figu", waitingFor: "1  Annual report  All of the year's figures")
        // The two notes are as good as each other, so the order of the rest is not certain.
        notes.type("ann")
        try eventually("three suggestions: \(notes.output)") {
            let line = notes.output.split(separator: "\n").last { $0.hasPrefix("Search for: announcement, ") }
            return Set(line?.dropFirst(12).split(separator: ", ") ?? [])
                == ["announcement", "annual", "Annual report"]
        }
        try notes.type("nonsense", waitingFor: "Nothing found.")
        notes.type(".")
        try notes.type("recent", waitingFor: "2  Ann")
        try notes.quit()
    }

    @Test func `deleting a note or a folder removes it from the index on both machines`() throws {
        let notes = try NotesAtWork(laptop)
        for name in ["Plum", "plums/Jam", "plums/old/Cake", "plumstones/Count"] {
            try notes.write(name, "# \(name)\n\nplum\n")
        }
        try notes.start()
        try notes.waitFor("Indexed 4 notes.")
        let names = {
            try Set(self.desktop.json("search", "plum")["results"].list.map { $0["item"]["id"].string })
        }
        try eventually("all") { try names().count == 4 }
        notes.type("delete Plum")
        try eventually("three: \(notes.output)") {
            try names() == ["plums/Jam", "plums/old/Cake", "plumstones/Count"]
        }
        notes.type("delete plums/")
        try eventually("one: \(notes.output)") { try names() == ["plumstones/Count"] }
        #expect(try notes.read("plums/old/Cake") == nil)
        try notes.quit()
    }

    // MARK: Handing over

    @Test func `an edited note continues on another machine in its latest state`() throws {
        let (here, there) = (try NotesAtWork(laptop), try NotesAtWork(desktop))
        try here.start()
        try there.start()
        try here.type("new Shopping", waitingFor: "Type lines.")
        try desktop.waitForActivity(titled: "Shopping")
        here.type("bread", ":2", "milk")
        try eventually("the lines in the file") { try here.read("Shopping") == "# Shopping\n\nmilk\nbread\n" }
        for notes in [here, there] { try notes.waitUntilRegistered() }
        try desktop.must("continue", "org.example.notes.edit", "--take")
        try there.waitFor("4  bread")
        try here.waitFor("“Shopping” continues on another machine.")
        #expect(try there.read("Shopping") == "# Shopping\n\nmilk\nbread\n")
        // The line is continued, too.
        there.type("eggs")
        try eventually("the new line: \(there.output)") {
            try there.read("Shopping") == "# Shopping\n\nmilk\neggs\nbread\n"
        }
        try eventually("one activity, on the desktop") {
            try laptop.list().map { $0["device"]["name"] } == [.string("desktop")]
        }
        try laptop.must("continue", "org.example.notes.edit", "--take")
        try here.waitFor("4  eggs")
        #expect(try here.read("Shopping") == "# Shopping\n\nmilk\neggs\nbread\n")
        // Where it was, the app has closed it.
        try there.waitFor("“Shopping” continues on another machine.")
        try eventually("one activity, on the laptop") {
            try laptop.list().map { $0["device"]["name"] } == [.string("laptop")]
        }
        for notes in [here, there] { try notes.quit() }
        try desktop.waitForEnd(ofActivityTitled: "Shopping")
        // A finished activity and its note are one result.
        #expect(try desktop.json("search", "shopping")["results"].list.count == 1)
    }

    @Test func `a continued activity can't write outside the folder of notes`() throws {
        let there = try NotesAtWork(desktop)
        try there.start()
        try there.waitUntilRegistered()
        for name in ["../stolen", "/stolen", ".hidden", "a/../../stolen"] {
            try laptop.must(
                "start", "org.example.notes.edit", "--title", "Bad", "--info", "name=\(name)", "--info",
                "line:=0", "--info", "text=x")
            try desktop.waitForActivity(titled: "Bad")
            try desktop.must("continue", "org.example.notes.edit")
            try there.waitFor("“\(name)” can't be the name of a note.")
            try laptop.must("finish")
            try desktop.waitForEnd(ofActivityTitled: "Bad")
        }
        try there.quit()
    }

    @Test func `the app is started in the terminal to open a result or to continue an activity`() throws {
        let (here, there) = (try NotesAtWork(laptop), try NotesAtWork(desktop))
        for notes in [here, there] { try notes.write("Roses", "# Roses\n\nCut them back.\n") }
        try here.start()
        try here.waitFor("Indexed 1 note.")
        try there.installManifest()
        try eventually("the note on the desktop") {
            try desktop.json("search", "roses")["results"].list.count == 1
        }
        try there.start(by: ["baton", "search", "roses", "--open"])
        try there.waitFor("3  Cut them back.")
        there.type("Feed them.")
        try there.quit()
        #expect(try there.read("Roses") == "# Roses\n\nCut them back.\nFeed them.\n")

        try here.type("new Shopping", waitingFor: "Type lines.")
        here.type("milk")
        try desktop.waitForActivity(titled: "Shopping")
        try there.start(by: ["baton", "continue", "org.example.notes.edit"])
        try there.waitFor("3  milk")
        try there.start(by: ["baton", "search", "--in", "org.example.notes", "cut"])
        try there.waitFor("1  Roses")
        for notes in [here, there] { try notes.quit() }
    }

    // MARK: Indexing

    @Test func `a killed indexing job resumes, also on another machine`() throws {
        let (here, there) = (try NotesAtWork(laptop), try NotesAtWork(desktop))
        let count = 5000
        for number in 0..<count {
            let text = "# Number \(number)\n\nresumption\(number)\n"
            for notes in [here, there] { try notes.write("many/\(number)", text, seconds: number - count) }
        }
        var done = 0
        for notes in [here, here, there] {
            try notes.start()
            try eventually("one more batch: \(notes.output)") { try position() > done }
            notes.kill()
            for machine in account.machines { try machine.waitUntilInStep() }
            done = try position()
            try #require(done < count, "the job was killed before its end")
        }
        try there.start()
        try there.waitFor("Indexed \(count - done) note")
        for machine in account.machines {
            for number in [0, done - 1, done, done + 1, count - 1] {
                try eventually("number \(number) on \(machine.name)") {
                    try machine.json("search", "resumption\(number)")["results"].list.first?["item"]["id"]
                        == .string("many/\(number)")
                }
            }
        }
        try there.quit()
    }

    @Test func `notes lost from the index are reindexed, by a running app or when the app starts`() throws {
        let notes = try NotesAtWork(laptop)
        for name in ["Plum", "trees/Apple", "trees/Pear"] {
            try notes.write(name, "# \(name)\n\nfruit\n")
        }
        let (app, index) = ("org.example.notes", ["--index", "notes"])
        let names = {
            try Set(
                laptop.json("search", "fruit")["results"].list.compactMap { $0["item"]["id"].string })
        }
        let all: Set = ["Plum", "trees/Apple", "trees/Pear"]
        func reindex(_ identifiers: String...) throws -> String {
            try laptop.must(["index", "reindex", app] + identifiers + index)
        }
        try notes.start()
        try notes.waitFor("Indexed 3 notes.")
        try laptop.must(["index", "delete", app, "Plum"] + index)
        #expect(try names() == ["trees/Apple", "trees/Pear"])
        let told = try reindex("Plum", "No such note")
        #expect(told.contains("asked to index this again") && !told.contains("next time"), "\(told)")
        try eventually("the lost note: \(notes.output)") { try names() == all }
        try laptop.must(["index", "clear", app] + index)
        #expect(try names().isEmpty)
        _ = try reindex()
        try eventually("all notes: \(notes.output)") { try names() == all }
        // Nothing is left to do, and the app has told of no error.
        try eventually("the end of the requests") {
            try laptop.must("index", "reindex", app, "--pending").contains("no requests to index again")
        }
        #expect(!notes.output.contains("can't") && !notes.output.contains("error"), "\(notes.output)")
        try notes.quit()

        try laptop.must(["index", "clear", app, "--domain", "trees"] + index)
        #expect(try reindex("trees/Pear").contains("runs the next time"))
        #expect(try names() == ["Plum"])
        try notes.start()
        try eventually("the note that was asked for: \(notes.output)") {
            try names() == ["Plum", "trees/Pear"]
        }
        try notes.quit()
    }

    /// The number of notes that the client state covers.
    private func position() throws -> Int {
        let state = try laptop.must("index", "state", "org.example.notes", "--index", "notes")
        return state.firstMatch(of: /many\/([0-9]+)\n/).flatMap { Int($0.1) }.map { $0 + 1 } ?? 0
    }

    @Test func `notes written while no node runs are found once a node runs`() throws {
        laptop.killNode()
        let notes = try NotesAtWork(laptop)
        try notes.start()
        try notes.type("new Lonely", waitingFor: "Type lines.")
        notes.type("island", ".")
        try notes.waitFor("Lonely  (")
        try notes.quit()
        try laptop.startNode()
        try notes.start()
        try eventually("the note") { try laptop.json("search", "island")["results"].list.count == 1 }
        try notes.quit()
    }

    @Test func `a scratch note is found for a week, and not afterwards`() throws {
        let notes = try NotesAtWork(laptop)
        try notes.write("scratch/New", "# New\n\nfleeting\n")
        try notes.write("scratch/Old", "# Old\n\nfleeting\n", seconds: -8 * 24 * 60 * 60)
        try notes.start()
        try notes.waitFor("Indexed 2 notes.")
        #expect(
            try laptop.json("search", "fleeting")["results"].list.map { $0["item"]["id"] }
                == [.string("scratch/New")])
        try notes.quit()
    }
}

/// Notes on a machine of a test, with a folder of its own.
private final class NotesAtWork {
    private static let beginning = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded())
    private let machine: Machine
    private let folder: String
    private var process: ChildProcess?

    init(_ machine: Machine) throws {
        self.machine = machine
        folder = machine.home + "-notes"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    // MARK: The folder

    /// Writes a file as another program would; it was changed so many seconds after the test began.
    func write(_ name: String, _ text: String, seconds: Int = 0) throws {
        let path = path(name)
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try File.write(text, to: path)
        try FileManager.default.setAttributes(
            [.modificationDate: Self.beginning.addingTimeInterval(Double(seconds))], ofItemAtPath: path)
    }

    func read(_ name: String) throws -> String? { File.read(path(name)) }

    private func path(_ name: String) -> String { "\(folder)/\(name).md" }

    // MARK: The app

    /// Starts the app, or a command that starts it; one that ran before is killed.
    func start(by words: [String]? = nil) throws {
        process = nil
        process = try machine.begin(words ?? program, hasInput: true)
    }

    /// Waits until the app gets what a person continues here.
    func waitUntilRegistered() throws {
        try eventually("an app that handles the type: \(output)") {
            try machine.json("handlers")["handlers"].list.contains { $0["app"]["title"] == .string("Notes") }
        }
    }

    private var program: [String] { [Products.folder + "/Notes", folder] }

    func installManifest() throws { try Products.installManifest(ofNotes: program, on: machine) }

    var output: String { "\(process?.output ?? "")\(process?.errors ?? "")" }

    func type(_ lines: String...) {
        process?.write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// Types a line, and waits for this text in what is written from then on.
    func type(_ line: String, waitingFor text: String) throws {
        let before = output.count
        type(line)
        try eventually("“\(text)” in: \(output)") { output.dropFirst(before).contains(text) }
    }

    func waitFor(_ text: String) throws {
        try eventually("“\(text)” in: \(output)") { output.contains(text) }
    }

    func kill() { process?.end(SIGKILL) }

    /// Ends the app as a person does.
    func quit(sourceLocation: SourceLocation = #_sourceLocation) throws {
        process?.closeInput()
        let status = try process?.wait()
        #expect(status == 0, "\(output)", sourceLocation: sourceLocation)
    }
}

extension Products {
    /// Declares the app to a machine, so that commands can start it by these words.
    static func installManifest(ofNotes program: [String], on machine: Machine) throws {
        let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Examples/Notes/org.example.notes.json")
        var manifest = try String(contentsOf: example, encoding: .utf8)
        let words = program.map { "\"\($0)\"" }.joined(separator: ", ")
        manifest.replace("\"/usr/local/bin/Notes\"", with: words)
        let folder = machine.home + "/apps"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try File.write(manifest, to: folder + "/org.example.notes.json")
    }
}
