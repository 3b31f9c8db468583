import AppIntents

/// Prepares the app for its intents, which run without its screens.
struct NotesIntents: IntentProgram {
    static func prepareForIntents() async throws {
        BatonApplication.shared.identifier = "org.example.notes"
        BatonApplication.shared.name = "Notes"
        AppDependencyManager.shared.add(dependency: Notebook(folder: Notes.defaultFolder))
    }
}

/// Phrases for `baton do`.
struct NotesShortcuts: AppShortcutsProvider {
    static var appShortcuts: [AppShortcut] {
        AppShortcut(
            intent: NewNote(), phrases: ["Make a note with \(.applicationName)"], shortTitle: "New Note",
            systemImageName: "note")
    }
}
