import AppIntents
import CoreSpotlightTesting
import Foundation
import Support
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

/// An intent without parameters.
private struct Pause: AppIntent {
    static let title: LocalizedStringResource = "Pause"
    func perform() async throws -> some IntentResult { .result() }
}

/// Deletes donations; returns those of this process.
private func delete(
    _ predicate: IntentDonationMatchingPredicate
) async throws -> Set<IntentDonationIdentifier> {
    Set(try await IntentDonationManager.shared.deleteDonations(matching: predicate))
}

/// The titles that the node suggests, as `baton suggest` prints them.
private func suggested(_ node: TemporaryNode) throws -> Set<String> {
    struct Answer: Decodable {
        struct Suggestion: Decodable {
            struct Activity: Decodable { let title: String? }
            let activity: Activity
        }
        let suggestions: [Suggestion]
    }
    let answer = try JSONDecoder().decode(Answer.self, from: Data(try node.baton("suggest", "--json").utf8))
    return Set(answer.suggestions.compactMap(\.activity.title))
}

// Each test is a process of its own, because a node is named by the environment.
@Suite struct `Donated intents` {
    @Test func `are suggested, and deleted by identifier only once`() async {
        await #expect(processExitsWith: .success) {
            let node = try TemporaryNode()
            node.useInThisProcess()
            let identifier = try await Play("one").donate()
            #expect(try suggested(node) == ["Play: one"])
            #expect(try await delete(.donationIdentifier(identifier)) == [identifier])
            #expect(try suggested(node).isEmpty)
            #expect(try await delete(.donationIdentifier(identifier)).isEmpty)
        }
    }

    @Test func `are one action if their parameters have the same values`() async {
        await #expect(processExitsWith: .success) {
            let node = try TemporaryNode()
            node.useInThisProcess()
            for track in ["one", "one", "two"] { _ = try await Play(track).donate() }
            #expect(try suggested(node) == ["Play: one", "Play: two"])
        }
    }

    @Test func `are deleted by an entity that their parameters contain`() async {
        await #expect(processExitsWith: .success) {
            let node = try TemporaryNode()
            node.useInThisProcess()
            let first = try await Play("entity-a").donate()
            let second = try await Play("entity-b", next: ["entity-a"]).donate()
            let other = try await Play("entity-c").donate()
            let identity = EntityIdentifier(for: Track.self, identifier: "entity-a")
            #expect(try await delete(.intentType(Pause.self, entityIdentifier: identity)).isEmpty)
            #expect(try await delete(.entityIdentifier(identity)) == [first, second])
            #expect(try suggested(node) == ["Play: entity-c"])
            #expect(try await delete(.donationIdentifier(other)) == [other])
        }
    }

    @Test func `are deleted by type, and recorded when the app calls an intent`() async {
        await #expect(processExitsWith: .success) {
            let node = try TemporaryNode()
            node.useInThisProcess()
            let result = try await Pause()(donate: false)
            #expect(try await delete(.intentType(Pause.self)).isEmpty)
            _ = try await Pause()()
            let donated = try await IntentDonationManager.shared.donate(intent: Pause(), result: result)
            let deleted = try await delete(.intentType(Pause.self))
            #expect(deleted.count == 2 && deleted.contains(donated))
            #expect(try suggested(node).isEmpty)
        }
    }

    @Test func `are refused without a node, and a donation that nobody waits for is lost`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            setenv("BATON_HOME", folder.path + "/home", 1)
            func donate(_ intent: Pause) -> IntentDonationIdentifier { intent.donate() }
            _ = donate(Pause())
            await #expect(throws: IntentDonationError.self) { try await Pause().donate() }
            await #expect(throws: IntentDonationError.self) { try await delete(.intentType(Pause.self)) }
        }
    }

    @Test func `return their result to the app`() async throws {
        #expect(try await Play("two")(donate: false).value == 1)
    }
}
