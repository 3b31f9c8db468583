import AppIntents

/// Finds the notes of the notebook on this machine.
struct NoteQuery: EntityStringQuery {
    @Dependency private var notebook: Notebook

    func entities(for identifiers: [String]) async throws -> [NoteEntity] {
        try identifiers.compactMap { try notebook.note(named: $0).map(NoteEntity.init) }
    }

    /// Finds the notes with a text in their titles or names.
    func entities(matching text: String) async throws -> [NoteEntity] {
        try await suggestedEntities().filter {
            $0.title.localizedCaseInsensitiveContains(text) || $0.id.localizedCaseInsensitiveContains(text)
        }
    }

    /// All notes, the one that was changed last first.
    func suggestedEntities() async throws -> [NoteEntity] {
        try notebook.entries().sorted { $0.modified > $1.modified }
            .compactMap { try notebook.note(named: $0.name).map(NoteEntity.init) }
    }
}
