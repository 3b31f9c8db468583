import CoreSpotlight

/// Starts the app: `Notes [FOLDER]`.
///
/// `Notes intents` is answered by the library before this; see `NotesIntents`.
@main struct Notes {
    /// The folder of the notes, unless the person names another one.
    static let defaultFolder = URL(
        fileURLWithPath: ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()
    ).appendingPathComponent("Notes")

    @MainActor static func main() async {
        let folder = CommandLine.arguments.dropFirst().first.map { URL(fileURLWithPath: $0) } ?? defaultFolder
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
