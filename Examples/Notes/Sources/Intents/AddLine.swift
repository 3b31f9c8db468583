import AppIntents

/// Adds a line at the end of a note.
struct AddLine: AppIntent {
    static let title: LocalizedStringResource = "Add a Line"
    static let description: IntentDescription? = "Adds a line at the end of a note."

    @Parameter(title: "Note", description: "The note to which the line is added.") var note: NoteEntity
    @Parameter(title: "Text", description: "The text of the line.") var text: String
    @Dependency private var notebook: Notebook

    static var parameterSummary: some ParameterSummary { Summary("Add \(\.$text) to \(\.$note)") }

    @MainActor func perform() async throws -> some IntentResult & ReturnsValue<NoteEntity> & ProvidesDialog {
        guard var changed = try notebook.note(named: note.id) else { throw NotebookError.isMissing(note.id) }
        changed.text += (changed.text.hasSuffix("\n") || changed.text.isEmpty ? "" : "\n") + text + "\n"
        changed.modified = .now
        try notebook.save(changed)
        try await NoteIndex(notebook) { print($0.localizedDescription) }.save(changed)
        return .result(
            value: NoteEntity(changed), dialog: "“\(changed.title)” has \(changed.lines.count) lines now.")
    }
}
