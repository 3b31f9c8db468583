import AppIntents
import CoreSpotlight
import Support
import Testing

/// An entity whose attributes contradict its title and its properties.
private struct Contrary: IndexedEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Contrary"
    static let defaultQuery = ContraryQuery()
    let id: Int
    @Property(indexingKey: \.keywords) var words: [String]
    @Property(indexingKey: \.subject) var subject: String?
    var displayRepresentation: DisplayRepresentation { "Shown" }
    var attributeSet: CSSearchableItemAttributeSet {
        let attributes = CSSearchableItemAttributeSet(contentType: .text)
        attributes.title = "Attribute"
        attributes.contentDescription = "Kept"
        attributes.keywords = ["attribute"]
        attributes.subject = "attribute"
        return attributes
    }
    var hideInSpotlight: Bool { id < 0 }

    init(id: Int) {
        self.id = id
        words = ["property"]
    }
}

private struct ContraryQuery: EntityQuery {
    func entities(for identifiers: [Int]) async throws -> [Contrary] { identifiers.map { Contrary(id: $0) } }
}

@Suite struct `Entities in the index` {
    private let book = Book(id: UUID(), title: "Title", authors: ["Ann", "Ben"], rating: 4)

    @Test func `prefer their properties to the attributes that the app sets`() throws {
        book.page = 7
        let attributes = CSSearchableItem(appEntity: book).attributeSet
        #expect(attributes.title == "Title")
        #expect(attributes.displayName == "Title")
        #expect(attributes.authorNames == ["Ann", "Ben"])
        #expect(attributes.rating == 4)
        #expect(attributes.keywords == ["book", "fiction"])
        #expect(attributes.contentCreationDate == Date(timeIntervalSince1970: 0))
        let key = try #require(CSCustomAttributeKey(keyName: "com_example_page"))
        #expect(attributes.value(forCustomKey: key) as? NSNumber == 7)
        // The summary is computed, and comes before the subtitle of the title's representation.
        #expect(attributes.contentDescription == "Title by Ann, Ben")
    }

    @Test func `prefer their displayed title to the app's attributes, which fill the gaps`() {
        let attributes = CSSearchableItem(appEntity: Contrary(id: 1)).attributeSet
        #expect(attributes.title == "Shown")
        #expect(attributes.contentDescription == "Kept")
        #expect(attributes.keywords == ["property"])
        // A property that has the value nil removes the attribute.
        #expect(attributes.subject == nil)
    }

    @Test func `have deferred properties only if the async initialiser makes the item`() async throws {
        let track = Track(id: "1")
        func index(_ track: Track) -> CSSearchableItem { CSSearchableItem(appEntity: track) }
        #expect(index(track).attributeSet.composer == nil)
        let attributes = try await CSSearchableItem(appEntity: track).attributeSet
        #expect(attributes.composer == "i")
        #expect(attributes.comment == "k")
        let key = try #require(CSCustomAttributeKey(keyName: "com_example_f"))
        #expect(attributes.value(forCustomKey: key) as? NSDate == Date.distantPast as NSDate)
        #expect(attributes.album == "c")
    }

    @Test func `are named by their types, with a domain for each type`() {
        let item = CSSearchableItem(appEntity: book)
        #expect(item.domainIdentifier == "AppEntity-Book")
        #expect(item.uniqueIdentifier == "AppEntity-Book/\(book.id.uuidString)")
        let track = CSSearchableItem(appEntity: Track(id: book.id.uuidString))
        #expect(track.uniqueIdentifier != item.uniqueIdentifier)
    }

    @Test(
        arguments: [(0, nil), (3, 53), (-3, 47), (1000, 100), (Int.min, 0), (Int.max, 100)] as [(Int, Int?)])
    func `have a rank that follows their priority`(priority: Int, rank: Int?) {
        let item = CSSearchableItem(appEntity: book, priority: priority)
        #expect(item.attributeSet.rankingHint?.intValue == rank)
        #expect(EntityAssociation(.subject, of: item.attributeSet)?.priority == priority)
    }

    @Test func `can be the subject of an item, and another entity its parent`() {
        let item = CSSearchableItem(
            uniqueIdentifier: "1", domainIdentifier: nil, attributeSet: CSSearchableItemAttributeSet())
        func associate() { item.associateAppEntity(book, priority: 2) }
        associate()
        #expect(item.attributeSet.title == "Title")
        #expect(item.relatedAppEntityIdentifier == nil)
        let parent = EntityIdentifier(for: Track(id: "1"))
        item.relatedAppEntityIdentifier = parent
        #expect(item.attributeSet.relatedAppEntityIdentifier == parent)
        let subject = EntityAssociation(.subject, of: item.attributeSet)
        #expect(subject?.entityIdentifier == EntityIdentifier(for: book))
        #expect(subject?.priority == 2)
        item.relatedAppEntityIdentifier = nil
        #expect(EntityAssociation(.parent, of: item.attributeSet) == nil)
        #expect(EntityAssociation(.subject, of: item.attributeSet) == subject)
    }

    @Test func `do not change attributes that are already set`() {
        let attributes = CSSearchableItemAttributeSet()
        attributes.title = "Own"
        attributes.associateAppEntity(book)
        #expect(attributes.title == "Own")
        #expect(attributes.contentDescription == "Title by Ann, Ben")
    }
}
