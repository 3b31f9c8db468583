import Foundation
import Support
import Testing

/// Two shells and the app of Examples/Notes: a note that was made in one shell is found by its properties in the other,
/// and opened.
@Suite(
    .enabled(
        if: TerminalShell.isThere,
        "tmux is not on this machine: `Scripts/install-dependencies test` installs it")
)
struct `A transcript of two shells and an app with entities` {
    private let account: Account
    private let laptop: TerminalShell
    private let desktop: TerminalShell

    init() throws {
        account = try Account("laptop", "desktop")
        for machine in account.machines {
            machine.variables["HOME"] = machine.home + "-person"
            try FileManager.default.createDirectory(
                atPath: machine.home + "-person", withIntermediateDirectories: true)
        }
        laptop = try TerminalShell(on: account[0], width: 120)
        desktop = try TerminalShell(on: account[1], width: 120)
    }

    private let notes = Products.folder + "/Notes"

    /// Makes notes by intents; the garden's is on both machines, as if a program synchronised the files.
    private func makeNotes() throws {
        for (shell, name, text) in [
            (laptop, "Kitchen", "Bake in #march."), (laptop, "Cellar", "Turn the cheese."),
            (desktop, "Garden", "Sow peas in #march."), (laptop, "Garden", "Sow peas in #march."),
        ] {
            let made = try shell.run("\(notes) intents run NewNote --name \(name) --text '\(text)'")
            #expect(made.sentence.hasPrefix("“\(name)” is in "), "\(made)")
        }
        // An app that has just been started writes its manifest later; an installer does not wait for that.
        for shell in [laptop, desktop] {
            let saved = try shell.run("\(notes) intents manifest --save").sentence
            #expect(saved.hasPrefix("The manifest "), "\(saved)")
        }
    }

    @Test func `a note is found by its properties on one machine, and opened on the other`() throws {
        try makeNotes()
        let query = "baton find Note --where 'tags == \"march\" && title != \"Kitchen\"' --sort -modified"
        let found = try laptop.run(query)
        #expect(found.count == 2 && found[1].hasPrefix("Garden  Garden"), "\(found)")
        try eventually("the notes on the desktop") {
            let lines = try desktop.run("baton find Note --sort title --limit 2").dropFirst()
            return lines.map { $0.prefix { $0 != " " } } == ["Cellar", "Garden"]
        }
        let nowhere = try desktop.run("baton open Note Cellar").sentence
        #expect(nowhere.contains("can't be opened") && nowhere.contains("“laptop”"), "\(nowhere)")

        let sent = try laptop.run("baton open Note Garden --on desktop").sentence
        #expect(sent.hasSuffix(") is offered on desktop."), "\(sent)")
        try account[1].waitForActivity(titled: "Garden")
        let shown = try desktop.run("baton show --entity Note")
        #expect(shown.last?.hasPrefix("Note") == true && shown.last?.contains("Garden") == true, "\(shown)")
        // With its manifest, the app is started in the terminal in which the person goes on.
        try Products.installManifest(ofNotes: [notes], on: account[1])
        try desktop.type("baton continue")
        try eventually("the note in the app: \(desktop.screen)") {
            desktop.screen.contains { $0.contains("Sow peas in #march.") }
        }
    }

    @Test func `a phrase runs an intent, and asks for what is missing`() throws {
        try makeNotes()
        let unknown = try laptop.run("baton do 'make a nota'").sentence
        #expect(unknown.contains("The nearest are: “make a note with Notes” (Notes)."), "\(unknown)")
        try laptop.type("baton do 'Make a note!'")
        try eventually("the question: \(laptop.screen)") { laptop.screen.last?.hasPrefix("Title") == true }
        try laptop.type("Shed")
        try eventually("the answer: \(laptop.screen)") {
            laptop.screen.contains { $0.hasPrefix("“Shed” is in ") }
        }
        let piped = try laptop.run("baton run notes NewNote < /dev/null").sentence
        #expect(piped.contains("Add --name VALUE."), "\(piped)")
    }
}
