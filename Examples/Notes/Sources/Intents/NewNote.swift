import AppIntents

/// Makes a note.
struct NewNote: AppIntent {
    static let title: LocalizedStringResource = "New Note"
    static let description: IntentDescription? = "Makes a note with a title."

    @Parameter(title: "Title", description: "The first line of the note.") var name: String
    @Parameter(title: "Text", description: "The text below the title.", default: "") var text: String
    @Dependency private var notebook: Notebook

    static var parameterSummary: some ParameterSummary { Summary("Make the note \(\.$name)") }

    @MainActor func perform() async throws -> some IntentResult & ReturnsValue<NoteEntity> & ProvidesDialog {
        guard try notebook.note(named: name) == nil else { throw NotebookError.nameIsTaken(name) }
        let note = Note(name: name, text: "# \(name)\n\(text)\n", modified: .now)
        try notebook.save(note)
        try await NoteIndex(notebook) { print($0.localizedDescription) }.save(note)
        return .result(value: NoteEntity(note), dialog: "“\(name)” is in \(notebook.folder.path).")
    }
}
