import AppIntents
import CoreSpotlight
import Foundation
import Support

/// An entity of an app for documents.
struct ReportEntity: IndexedEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Report"
    static let defaultQuery = ReportQuery()
    let id: Int
    @Property(title: "Title", indexingKey: \.title) var title: String
    @Property(title: "Summary", indexingKey: \.contentDescription) var summary: String
    @Property(title: "Author", indexingKey: \.creator) var author: String
    @Property(title: "Keywords", indexingKey: \.keywords) var keywords: [String]
    @Property(title: "Pages", indexingKey: \.pageCount) var pages: Int
    @Property(title: "Created", indexingKey: \.contentCreationDate) var created: Date
    @Property(title: "Due", indexingKey: \.dueDate) var due: Date?
    @Property(title: "Case", customIndexingKey: ReportEntity.caseKey) var reference: String
    var displayRepresentation: DisplayRepresentation { "\(title)" }

    /// The key of the attribute with the number of a case.
    static var caseKey: CSCustomAttributeKey {
        guard let key = CSCustomAttributeKey(keyName: "com_example_case") else {
            preconditionFailure("the name of the attribute is not allowed")
        }
        return key
    }

    private init(id: Int, of count: Int, _ words: inout Words) {
        self.id = id
        title = words.phrase(4...7)
        summary = words.phrase(25...32)
        author = "name\(words.number(0...99))"
        keywords = words.list(3...5)
        pages = words.number(1...1000)
        // No two reports have the same date, so the order is the same for the index and for SQL.
        created = Date(timeIntervalSince1970: 1_767_225_600 + Double(id * 7919 % count) * 300)
        due = words.chance(50) ? nil : created.addingTimeInterval(Double(words.number(1...9_999_999)))
        reference = "case \(words.number(0...9999))"
    }

    /// Returns reports from a seed; the number of reports may not be a multiple of 7919.
    static func drawn(_ count: Int, seed: UInt64) -> [ReportEntity] {
        var words = Words(seed: seed)
        return (0..<count).map { ReportEntity(id: $0, of: count, &words) }
    }

    /// How many reports a call indexes.
    static let callCount = 500

    /// The item that an app makes itself, with the same attributes and names as that of the entity.
    var itemByHand: CSSearchableItem {
        let attributes = CSSearchableItemAttributeSet(contentType: .content)
        (attributes.title, attributes.displayName) = (title, title)
        (attributes.contentDescription, attributes.creator) = (summary, author)
        attributes.keywords = keywords
        attributes.pageCount = NSNumber(value: pages)
        attributes.contentCreationDate = created
        attributes.dueDate = due
        attributes.setValue(reference as NSString, forCustomKey: Self.caseKey)
        EntityAssociation(EntityIdentifier(for: self)).write(.subject, to: attributes)
        let item = CSSearchableItem(
            uniqueIdentifier: "AppEntity-ReportEntity/\(id)", domainIdentifier: "AppEntity-ReportEntity",
            attributeSet: attributes)
        item.expirationDate = .distantFuture
        return item
    }
}
