import AppIntents
import Support
import Testing

/// An entity of a person's choice of titles.
private struct Named: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Named"
    static let defaultQuery = NamedQuery()
    let id: Int
    var displayRepresentation: DisplayRepresentation {
        .init(title: "\(["Red", "Red wine", "Green"][id])", synonyms: id == 2 ? ["Leaf"] : [])
    }
}

private struct NamedQuery: EnumerableEntityQuery {
    func entities(for identifiers: [Int]) async throws -> [Named] {
        identifiers.filter { (0..<3).contains($0) }.map { Named(id: $0) }
    }
    func allEntities() async throws -> [Named] { (0..<3).map { Named(id: $0) } }
}

@Suite struct `Entities that a person names` {
    @Test(arguments: [("1", 1), ("red", 0), ("WINE", 1), ("leaf", 2), ("gre", 2)])
    func
        `are found by identifier, title or other words`(text: String, identifier: Int) async throws
    { #expect(try await Named._value(of: .text(text)).id == identifier) }

    @Test func `are refused if a text matches several`() async {
        await #expect(
            throws: IntentValueError.severalEntities(
                type: "Named", text: "re", titles: ["Red", "Red wine", "Green"])
        ) { try await Named._value(of: .text("re")) }
    }

    @Test func `are refused if they no longer exist`() async {
        await #expect(throws: IntentValueError.noEntity(type: "Named", identifier: "7")) {
            try await Named._value(of: .entity(type: "Named", identifier: "7"))
        }
        await #expect(throws: IntentValueError.noEntity(type: "Named", identifier: "blue")) {
            try await Named._value(of: .text("blue"))
        }
        await #expect(throws: IntentValueError.wrongKind(expected: "Named", value: "Book")) {
            try await Named._value(of: .entity(type: "Book", identifier: "1"))
        }
    }

    @Test func `are found by their type's name if the type has only one entity`() async throws {
        let settings = try await LibrarySettings._value(of: .text("LibrarySettings"))
        #expect(settings.isSorted)
        #expect(try await LibrarySettings.defaultQuery.entities(for: ["other"]).isEmpty)
        await #expect(throws: AppIntentError.Unrecoverable.entityNotFound) {
            try await UniqueAppEntityProvider<LibrarySettings>().uniqueEntity()
        }
    }

    @Test func `share later changes with their copies`() {
        let book = Book(id: UUID(), title: "A", authors: [], rating: 1)
        let copy = book
        copy.title = "B"
        #expect(book.title == "B")
    }
}
