// Typical code of an app: entities, properties and the index.

import AppIntents
import CoreSpotlight
import Foundation

enum Genre: String, AppEnum {
    case fiction, history, poetry

    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Genre"
    static let caseDisplayRepresentations: [Genre: DisplayRepresentation] = [
        .fiction: "Fiction",
        .history: DisplayRepresentation(
            title: "History", subtitle: "What was", image: .init(systemName: "clock")),
        .poetry: DisplayRepresentation(title: "Poetry", synonyms: ["Poems", "Verse"]),
    ]
}

struct Book: AppEntity, IndexedEntity, Hashable {
    static let typeDisplayRepresentation = TypeDisplayRepresentation(
        name: "Book", numericFormat: "\(2) books")
    static let defaultQuery = BookQuery()

    let id: UUID

    @Property(title: "Title", indexingKey: \.title) var title: String
    @Property(title: "Author", indexingKey: \.authorNames) var authors: [String]
    @Property(title: "Rating", indexingKey: \.rating) var rating: Int
    @Property(title: "Price") var price: Double
    @Property(title: "Genre") var genre: Genre
    @Property(title: "Published", indexingKey: \.contentCreationDate) var published: Date
    @Property(title: "Read") var lastRead: Date?
    @Property(title: "Page", customIndexingKey: CSCustomAttributeKey(keyName: "com_example_page")!) var page:
        Int?
    @Property var isFavourite: Bool
    @Property(indexingKey: \.contentURL) var link: URL?

    @ComputedProperty(title: "Summary", indexingKey: \.contentDescription)
    var summary: String { "\(title) by \(authors.joined(separator: ", "))" }

    @DeferredProperty(title: "Words")
    var words: Int { get async throws { await Task { 42 }.value } }

    var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(
            title: "\(title)", subtitle: "\(authors.first ?? "")", image: .init(systemName: "book"))
    }

    var attributeSet: CSSearchableItemAttributeSet {
        let attributes = defaultAttributeSet
        attributes.keywords = ["book", genre.rawValue]
        return attributes
    }

    var hideInSpotlight: Bool { rating == 0 }

    init(id: UUID, title: String, authors: [String], rating: Int) {
        self.id = id
        self.title = title
        self.authors = authors
        self.rating = rating
        price = 10
        genre = .fiction
        published = Date(timeIntervalSince1970: 0)
        isFavourite = false
    }

    static func == (one: Book, other: Book) -> Bool { one.id == other.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

final class Deck: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Deck"
    static let defaultQuery = DeckQuery()
    let id: Int
    @ComputedProperty(title: "Twice") var twice: Int { id * 2 }
    var displayRepresentation: DisplayRepresentation { "Deck" }
    init(id: Int) { self.id = id }
}

struct DeckQuery: EntityQuery {
    func entities(for identifiers: [Int]) async throws -> [Deck] { identifiers.map { Deck(id: $0) } }
}

struct ReadingStatistics: TransientAppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Statistics"
    @Property(title: "Books") var books: Int
    var displayRepresentation: DisplayRepresentation { "\(books) books" }
    init() { books = 0 }
}

struct LibrarySettings: UniqueAppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Settings"
    static var defaultQuery: UniqueAppEntityProvider<LibrarySettings> { .init { LibrarySettings() } }
    @Property(title: "Sorted") var isSorted: Bool
    var displayRepresentation: DisplayRepresentation { "Settings" }
    init() { isSorted = true }
}

struct Document: FileEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Document"
    static let supportedContentTypes: [UTType] = [.plainText, .pdf]
    static let defaultQuery = DocumentQuery()
    let id: FileEntityIdentifier
    var displayRepresentation: DisplayRepresentation { "\(id.fileURL?.lastPathComponent ?? "Draft")" }
}

struct DocumentQuery: EntityQuery {
    func entities(for identifiers: [FileEntityIdentifier]) async throws -> [Document] {
        identifiers.map { Document(id: $0) }
    }
}

struct Shelf: AppEntity {
    struct ID: RawRepresentable, EntityIdentifierConvertible, Sendable {
        let rawValue: String
        init(rawValue: String) { self.rawValue = rawValue }
    }
    static let typeDisplayRepresentation = TypeDisplayRepresentation(name: "Shelf", synonyms: ["Rack"])
    static let defaultQuery = ShelfQuery()
    let id: ID
    var displayRepresentation: DisplayRepresentation { .init(stringLiteral: id.rawValue) }
}

struct ShelfQuery: EnumerableEntityQuery {
    static let findIntentDescription: IntentDescription? = IntentDescription("Finds shelves.")
    func entities(for identifiers: [Shelf.ID]) async throws -> [Shelf] { identifiers.map { Shelf(id: $0) } }
    func allEntities() async throws -> [Shelf] { [Shelf(id: .init(rawValue: "Top"))] }
}

@UnionValue enum Place {
    case book(Book)
    case shelf(Shelf)
}

func index(_ books: [Book], _ item: CSSearchableItem, _ activity: NSUserActivity) async throws {
    let index = CSSearchableIndex(name: "books")
    try await index.indexAppEntities(books)
    try await index.indexAppEntities(books, priority: 5)
    try await index.deleteAppEntities(identifiedBy: books.map(\.id), ofType: Book.self)
    try await index.deleteAppEntities(ofType: Book.self)
    let own = try await CSSearchableItem(appEntity: books[0])
    try await own.associateAppEntity(books[0], priority: 1)
    item.attributeSet.associateAppEntity(books[0])
    item.relatedAppEntityIdentifier = EntityIdentifier(for: books[0])
    activity.appEntityIdentifier = EntityIdentifier(for: Book.self, identifier: books[0].id)
    let text = activity.appEntityIdentifier?.description ?? ""
    _ = EntityIdentifier(activityIdentifier: text)
    _ = (activity.appEntityIdentifier?.entityType, EntityIdentifier.valueMaximumLength)
}

func items(_ book: Book) -> [CSSearchableItem] {
    [CSSearchableItem(appEntity: book), CSSearchableItem(appEntity: book, priority: 3)]
}

func images(_ data: Data, _ url: URL) -> [DisplayRepresentation.Image] {
    [
        .init(named: "a"), .init(named: "a", isTemplate: true), .init(systemName: "b"), .init(data: data),
        .init(url: url), .init(url: url, width: 1, height: 2),
        .init(url: url, isTemplate: false, displayStyle: .circular),
    ]
}

let newerIdentifier = AppEntityIdentifier(
    entityType: AttributedTypeIdentifier("Book"), instanceIdentifier: "1")
let synonyms = Genre.poetry.displayRepresentation.synonyms
let resource = Genre.poetry.localizedStringResource
let fileIdentifiers: [FileEntityIdentifier] = [
    .file(url: URL(fileURLWithPath: "/a")), .draft(identifier: "d"),
]
let draftFacts = (fileIdentifiers[1].isDraft, fileIdentifiers[1].draftIdentifier, fileIdentifiers[0].fileURL)
