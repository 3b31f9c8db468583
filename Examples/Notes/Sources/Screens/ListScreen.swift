import Foundation

/// Lists the notes, and understands the commands of the app.
final class ListScreen: Screen {
    let prompt = "> "
    private let app: NotesApp
    private var listed: [Notebook.Entry] = []

    init(_ app: NotesApp) { self.app = app }

    func appear() { list("") }

    func handle(_ line: String) async throws {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let operand = words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces) : ""
        switch (words.first ?? "help", operand) {
        case ("list", let folder): list(folder)
        case ("recent", ""): try await app.present(SearchScreen(app, .recent))
        case ("index", ""): app.updateIndex()
        case ("quit", ""): try await app.quit()
        case ("help", ""): show(Self.help)
        case (let command, "") where Self.help.contains("\n  \(command) "):
            show("“\(command)” needs a name or words. Type help.")
        case ("new", let name): try await new(name)
        case ("open", let name): try await open(name)
        case ("search", let words): try await app.present(SearchScreen(app, .words(words)))
        case ("delete", let name): try await delete(name)
        default: show("Unknown command: \(line). Type help.")
        }
    }

    private static let help = """
        Commands:
          list [FOLDER]     lists the notes
          new NAME          begins a note; FOLDER/NAME puts it into a folder
          open NAME         opens a note by its name, or by its number in the list
          search WORDS      finds notes by their words
          recent            lists what was changed within a week, on any machine
          delete NAME       deletes a note; FOLDER/ deletes a folder
          index             brings the index up to date, after changes by other programs
          quit              ends the app
        """

    private func list(_ folder: String) {
        listed = app.notebook.entries(in: folder.isEmpty ? nil : folder)
        if listed.isEmpty { show("No notes.") }
        for (place, entry) in listed.enumerated() {
            let date = entry.modified.formatted(date: .abbreviated, time: .shortened)
            show("\(place + 1)  \(entry.name)  (\(date))")
        }
    }

    private func new(_ name: String) async throws {
        guard try app.notebook.note(named: name) == nil else { return show("“\(name)” is already there.") }
        let title = name.split(separator: "/").last ?? ""
        let note = Note(name: name, text: "# \(title)\n\n", modified: .now)
        try app.notebook.save(note)
        try await app.edit(note)
    }

    private func open(_ operand: String) async throws {
        try await app.open(.note(name(operand)))
    }

    private func delete(_ operand: String) async throws {
        if operand.hasSuffix("/") {
            let folder = String(operand.dropLast())
            try app.notebook.delete(folder: folder)
            try await app.index.delete(folder: folder)
        } else {
            let name = name(operand)
            try app.notebook.delete(name)
            try await app.index.delete(name)
        }
        list("")
    }

    /// Returns the name that a number in the list stands for, or the operand itself.
    private func name(_ operand: String) -> String {
        guard let number = Int(operand), listed.indices.contains(number - 1) else { return operand }
        return listed[number - 1].name
    }
}
