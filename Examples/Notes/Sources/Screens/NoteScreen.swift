/// Shows a note, and inserts the lines that are typed.
final class NoteScreen: Screen {
    private let app: NotesApp
    private let original: Note
    private let editing: Editing

    /// Opens a note that is in the index, at a line or at its end.
    init(_ app: NotesApp, _ note: Note, line: Int? = nil) {
        (self.app, original) = (app, note)
        editing = Editing(note, line: line)
        editing.wasContinued = { [unowned self] in
            app.post(.leave(self, "“\(note.title)” continues on another machine."))
        }
    }

    var prompt: String { "\(editing.line + 1)  " }

    func appear() {
        for (place, line) in editing.note.lines.enumerated() { show("\(place + 1)  \(line)") }
        show("Type lines. :NUMBER goes below a line, :d deletes it, and a period closes the note.")
    }

    func handle(_ line: String) async throws {
        if line == "." { return try await app.present(ListScreen(app)) }
        if line == ":d" {
            editing.deleteLine()
        } else if line.hasPrefix(":"), let number = Int(line.dropFirst()) {
            editing.move(to: number)
        } else {
            editing.insert(line)
        }
        // The file is always up to date; the index gets the note when it is closed.
        try app.notebook.save(editing.note)
    }

    func disappear() async throws {
        defer { editing.end() }
        if editing.note != original { try await app.index.save(editing.note) }
    }
}
