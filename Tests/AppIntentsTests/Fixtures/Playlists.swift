// Code as many public apps have it: types that the compiler infers, tiles of shortcuts, and undoing.

import AppIntents
import Foundation

enum Mood: String, AppEnum {
    case calm, loud
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Mood"
    static let caseDisplayRepresentations: [Mood: DisplayRepresentation] = [.calm: "Calm", .loud: "Loud"]
}

struct Playlist: AppEntity {
    static let typeDisplayRepresentation = TypeDisplayRepresentation(
        name: "Playlist", numericFormat: "\(placeholder: .int) playlists")
    static let defaultQuery = PlaylistQuery()
    let id: Int
    var displayRepresentation: DisplayRepresentation { "Playlist \(id)" }
}

struct PlaylistQuery: EntityQuery {
    @ParameterDependency<DeletePlaylist>(\.$owner) var deletion
    // Only the other method names the type of the entities.
    func entities(for identifiers: [Entity.ID]) async throws -> [Entity] {
        identifiers.map { Playlist(id: $0) }
    }
    func suggestedEntities() async throws -> [Playlist] { Mood.allCases.indices.map { Playlist(id: $0) } }
}

struct DeletePlaylist: UndoableIntent {
    static let title: LocalizedStringResource = "Delete Playlist"
    @Parameter(title: "Playlist") var playlist: Playlist
    @Parameter(title: "Owner") var owner: IntentPerson
    @Parameter(title: "Songs", displayName: .init(true: "Deleted", false: "Kept")) var deletesSongs: Bool
    func perform() async throws -> some IntentResult & ProvidesDialog {
        await undoManager?.registerUndo(withTarget: Library.shared) { _ in }
        await undoManager?.setActionName("Delete Playlist")
        let message = AttributedString(localized: "Deleted ^[\(2) song](inflect: true).")
        return .result(dialog: "\(message) \(owner.displayRepresentation.title)")
    }
}

struct PlaylistShortcuts: AppShortcutsProvider {
    static var appShortcuts: [AppShortcut] {
        AppShortcut(
            intent: DeletePlaylist(), phrases: ["Delete \(\.$playlist) in \(.applicationName)"],
            shortTitle: "Delete", systemImageName: "trash",
            parameterPresentation: ParameterPresentation(
                for: \.$playlist, summary: Summary("Delete \(\.$playlist)"),
                optionsCollections: {
                    OptionsCollection(PlaylistQuery(), title: "Playlists", systemImageName: "music.note")
                    OptionsCollection(BookQuery(), title: "Books", systemImageName: "book")
                }))
    }
}

struct PlaylistPackage: AppIntentsPackage {}

struct AppPackage: AppIntentsPackage {
    static var includedPackages: [any AppIntentsPackage.Type] { [PlaylistPackage.self] }
}
