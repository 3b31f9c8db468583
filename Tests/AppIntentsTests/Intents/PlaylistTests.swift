import AppIntents
import Testing

@Suite struct `Code as public apps have it` {
    @Test func `has its cases in the order of the declaration`() {
        #expect(Mood.orderedCases == [.calm, .loud] && Mood.allCases == [.calm, .loud])
    }

    @Test func `shows attributed text and the name of a person in a dialog`() async throws {
        let intent = DeletePlaylist()
        intent.owner = IntentPerson(name: .displayName("Anna"))
        intent.playlist = Playlist(id: 1)
        intent.deletesSongs = true
        let performance = try await IntentPerformer().perform(intent)
        #expect(performance.dialogs == ["Deleted 2 song. Anna"])
    }

    @Test func `has shortcuts with tiles that run like others`() {
        let shortcut = PlaylistShortcuts.appShortcuts[0]
        #expect(shortcut.phrases[0].parts.contains(.parameter("playlist")))
        #expect(shortcut.intent is DeletePlaylist)
    }

    @Test func `has parts that include no others by default`() {
        #expect(PlaylistPackage.includedPackages.isEmpty && AppPackage.includedPackages.count == 1)
    }
}
