import AppIntents
import CoreSpotlight
import Support
import Testing

/// An entity with a name that an address must write with percent signs.
private struct Odd: AppEntity {
    static let persistentIdentifier = "a/b c.%é"
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Odd"
    static let defaultQuery = OddQuery()
    let id: String
    var displayRepresentation: DisplayRepresentation { "\(id)" }
}

private struct OddQuery: EntityQuery {
    func entities(for identifiers: [String]) async throws -> [Odd] { identifiers.map { Odd(id: $0) } }
}

@Suite struct `Identities of entities` {
    @Test(arguments: 0..<100) func `survive conversion to text and back`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let identity = EntityIdentifier(for: Odd(id: random.text(0...40)))
        #expect(EntityIdentifier(activityIdentifier: identity.description) == identity)
        #expect(try await EntityIdentifier._value(of: identity._content) == identity)
        #expect(identity == EntityIdentifier(for: Odd.self, identifier: identity.identifier))
        #expect(identity != EntityIdentifier(for: Odd(id: identity.identifier + "a")))
        #expect(identity != EntityIdentifier(for: Track(id: identity.identifier)))
    }

    @Test func `are cut to 4096 characters`() {
        let identity = EntityIdentifier(for: Odd(id: String(repeating: "é", count: 5000)))
        #expect(identity.identifier.count == EntityIdentifier.valueMaximumLength)
    }

    @Test(arguments: ["", "a", "a/", "Nothing/1", "/"]) func `are nil if their text names no type`(
        text: String
    ) {
        #expect(EntityIdentifier(activityIdentifier: text) == nil)
    }

    @Test(arguments: 0..<50) func `for files and drafts survive conversion to text and back`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let name = random.text(1...20)
        for identifier in [
            FileEntityIdentifier.draft(identifier: name), .file(url: URL(fileURLWithPath: "/tmp/" + name)),
        ] {
            let text = identifier.entityIdentifierString
            #expect(FileEntityIdentifier.entityIdentifier(for: text) == identifier)
            #expect(identifier.isDraft == (identifier.fileURL == nil))
        }
        #expect(FileEntityIdentifier.entityIdentifier(for: "https://example.com") == nil)
    }

    @Test func `can be set on an activity without changing its other attributes`() {
        let activity = NSUserActivity(activityType: "com.example.read")
        activity.appEntityIdentifier = nil
        #expect(activity.contentAttributeSet == nil)
        let attributes = CSSearchableItemAttributeSet(contentType: .text)
        attributes.title = "Title"
        activity.contentAttributeSet = attributes
        let identity = EntityIdentifier(for: Odd(id: "1"))
        activity.appEntityIdentifier = identity
        #expect(activity.appEntityIdentifier == identity)
        #expect(activity.contentAttributeSet?.title == "Title")
        activity.appEntityIdentifier = nil
        #expect(activity.appEntityIdentifier == nil)
        #expect(activity.contentAttributeSet?.title == "Title")
    }
}
