import CoreSpotlight

/// Starts the app: `Notes [FOLDER]`.
@main struct Notes {
    @MainActor static func main() async {
        let folder =
            CommandLine.arguments.dropFirst().first.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent("Notes")
        BatonApplication.shared.identifier = "org.example.notes"
        BatonApplication.shared.activityTypes = [Editing.activityType]
        let app = NotesApp(folder: folder)
        BatonApplication.shared.delegate = app
        BatonApplication.shared.name = "Notes"
        BatonApplication.shared.continuesSearches = true
        Terminal.readLines { app.post($0.map { .typed($0) } ?? .quit) }
        await app.run()
    }
}
