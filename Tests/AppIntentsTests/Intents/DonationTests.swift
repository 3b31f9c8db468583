import AppIntents
import Testing

/// An intent about a track.
private struct Play: AppIntent {
    static let title: LocalizedStringResource = "Play"
    @Parameter(title: "Track") var track: Track
    @Parameter(title: "Next") var next: [Track]?
    init() {}
    init(_ track: String, next: [String] = []) {
        self.track = Track(id: track)
        self.next = next.map { Track(id: $0) }
    }
    func perform() async throws -> some IntentResult & ReturnsValue<Int> { .result(value: 1) }
}

/// An intent that only its own test donates.
private struct Pause: AppIntent {
    static let title: LocalizedStringResource = "Pause"
    func perform() async throws -> some IntentResult { .result() }
}

@Suite struct `Donated intents` {
    private let manager = IntentDonationManager.shared

    private func delete(_ predicate: IntentDonationMatchingPredicate) async throws -> Set<
        IntentDonationIdentifier
    > {
        Set(try await manager.deleteDonations(matching: predicate))
    }

    @Test func `can be deleted by identifier only once`() async throws {
        let identifier = try await Play("one").donate()
        #expect(try await delete(.donationIdentifier(identifier)) == [identifier])
        #expect(try await delete(.donationIdentifier(identifier)).isEmpty)
    }

    @Test func `are deleted by an entity that their parameters contain`() async throws {
        func donate(_ intent: Play) -> IntentDonationIdentifier { intent.donate() }
        let (first, second) = (donate(Play("entity-a")), donate(Play("entity-b", next: ["entity-a"])))
        let other = donate(Play("entity-c"))
        let identity = EntityIdentifier(for: Track.self, identifier: "entity-a")
        #expect(try await delete(.intentType(Pause.self, entityIdentifier: identity)).isEmpty)
        #expect(try await delete(.entityIdentifier(identity)) == [first, second])
        #expect(try await delete(.donationIdentifier(other)) == [other])
    }

    @Test func `are deleted by type, and recorded when the app calls an intent`() async throws {
        let result = try await Pause()(donate: false)
        #expect(try await delete(.intentType(Pause.self)).isEmpty)
        _ = try await Pause()()
        let donated = try await manager.donate(intent: Pause(), result: result)
        let deleted = try await delete(.intentType(Pause.self))
        #expect(deleted.count == 2 && deleted.contains(donated))
    }

    @Test func `return their result to the app`() async throws {
        #expect(try await Play("two")(donate: false).value == 1)
    }
}
