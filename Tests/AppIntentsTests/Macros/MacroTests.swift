import AppIntents
import Support
import Testing

/// A text or a number, or one of a person's places.
@UnionValue private enum Either: Equatable {
    case number(Int), named(flag: Bool)
    case `default`(Genre)
}

/// An entity whose query fails, as it does without a network.
private struct Remote: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Remote"
    static let defaultQuery = RemoteQuery()
    let id: Int
    var displayRepresentation: DisplayRepresentation { "\(id)" }
}

private struct RemoteQuery: EntityQuery {
    func entities(for identifiers: [Int]) async throws -> [Remote] {
        throw AppIntentError.Unrecoverable.networkFailure
    }
}

/// An entity of another machine, or a text.
@UnionValue private enum RemoteOrText {
    case remote(Remote)
    case text(String)
}

@Suite struct `What macros make` {
    @Test func `unions throw an error of the app and try no further case`() async throws {
        await #expect(throws: AppIntentError.Unrecoverable.networkFailure) {
            try await RemoteOrText._value(of: .text("7"))
        }
        guard case .text("seven") = try await RemoteOrText._value(of: .text("seven")) else {
            Issue.record("a text that is no identifier is not a text")
            return
        }
    }

    @Test func `intents of a schema have their variables as parameters`() async throws {
        let intent = SendDraft()
        #expect(IntentReflection.parameters(of: intent).map(\.name) == ["target", "sendLaterDate"])
        intent.target = MailDraft(id: 3)
        #expect(intent.sendLaterDate == nil && intent.target.id == 3)
        #expect(IntentReflection.parameters(of: SearchMail()).map(\.name) == ["criteria"])
    }

    @Test func `entities of a schema have their variables as properties`() {
        let draft = MailDraft(id: 3)
        draft.subject = "Hello"
        let names = EntityReflection.properties(of: draft).map(\.name)
        #expect(Set(names) == ["to", "subject", "attachments", "account", "body", "recipients"])
        #expect(EntityReflection.name(of: draft.$subject, in: draft) == "subject")
        #expect(draft.$subject.wrappedValue == "Hello")
        #expect(MailAccount(id: 4).$name.wrappedValue == "Account 4")
    }

    @Test(arguments: [Either.number(3), .named(flag: true), .default(.poetry)])
    private func
        `unions survive encoding for another process`(value: Either) async throws
    { #expect(try await Either._value(of: value._content) == value) }

    @Test func `unions refuse a value that fits no case`() async {
        await #expect(throws: AppIntentError.Unrecoverable.entityNotFound) {
            try await Either._value(of: .text("prose"))
        }
        #expect(Either._form.name == "whole number or yes or no or Genre")
    }

    @Test func `schemas have names, and supply missing titles`() {
        #expect(SchemaOpen._schema == "books.openBook")
        #expect(String(localized: SchemaOpen.title) == "Open Book")
        #expect(SchemaKind._schema == "books.contentType")
        #expect(SchemaAlbum.typeDisplayRepresentation.text == "Album")
        #expect(AssistantSchemas.EntitySchema.photos.album.name == "photos.album")
    }

    @Test func `computed properties are found by name, title and value`() throws {
        let track = Track(id: "1")
        let properties = EntityReflection.properties(of: track)
        let names = ["first", "second", "third", "fourth", "fifth", "sixth"]
        #expect(properties.map(\.name).suffix(12).prefix(6) == names[...])
        let second = try #require(properties.first { $0.name == "second" })
        #expect(second.title == "Second" && second.content == .text("b"))
        #expect(EntityReflection.name(of: track.$second, in: track) == "second")
        #expect(EntityReflection.name(of: track.$plain, in: track) == "plain")
        #expect(track.$second.wrappedValue == "b")
    }

    @Test func `computed properties of classes are found`() {
        let deck = Deck(id: 4)
        #expect(EntityReflection.properties(of: deck).map(\.content) == [.integer(8)])
        #expect(EntityReflection.name(of: deck.$twice, in: deck) == "twice")
    }

    @Test func `deferred properties are awaited only on demand`() async throws {
        let track = Track(id: "1")
        let immediate = EntityReflection.properties(of: track).first { $0.name == "eighth" }
        #expect(immediate?.content == nil)
        let awaited = try await EntityReflection.awaitedProperties(of: track).first { $0.name == "eighth" }
        #expect(awaited?.content == .integer(8))
    }
}
