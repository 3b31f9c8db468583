import CoreSpotlight
import MobileCoreServices

struct Note: Sendable {
    var id: UUID
    var title: String
    var rating: Double?
    var date: Date
    var latitude: Double
    var isPinned: Bool
}

extension CSCustomAttributeKey {
    static var colour: CSCustomAttributeKey? { CSCustomAttributeKey(keyName: "org_example_colour") }
}

final class Indexer: NSObject {
    func item(for note: Note) -> CSSearchableItem {
        let attributes = CSSearchableItemAttributeSet(contentType: .text)
        attributes.title = note.title
        attributes.displayName = note.title
        attributes.contentDescription = "\(note.title), \(note.date)"
        attributes.rating = 5
        attributes.rating = note.rating.map { NSNumber(value: $0) }
        attributes.rating = note.rating as NSNumber?
        attributes.latitude = note.latitude as NSNumber
        attributes.longitude = NSNumber(floatLiteral: note.latitude)
        attributes.supportsNavigation = true
        attributes.supportsPhoneCall = 1
        attributes.userCreated = NSNumber(value: note.isPinned)
        attributes.likelyJunk = 0
        attributes.keywords = ["a", "b"] + note.title.components(separatedBy: " ")
        attributes.contentCreationDate = note.date
        attributes.thumbnailData = Data([1])
        attributes.thumbnailURL = Bundle.main.url(forResource: "note", withExtension: "png")
        attributes.contentURL = URL(fileURLWithPath: "/tmp/note.txt")
        attributes.contentType = UTType.pdf.identifier
        attributes.sharedItemContentType = .pdf
        attributes.relatedUniqueIdentifier = note.id.uuidString
        attributes.authors = [
            CSPerson(displayName: "Ann", handles: ["a@b"], handleIdentifier: "emailAddresses")
        ]
        attributes.mailboxIdentifiers = [CSMailboxInbox]
        attributes.emailHeaders = ["From": ["a@b"]]
        if let key = CSCustomAttributeKey.colour {
            attributes.setValue("red" as NSString, forCustomKey: key)
            attributes.setValue(note.rating as NSNumber?, forCustomKey: key)
            let value: NSSecureCoding? = attributes.value(forCustomKey: key)
            print(value as Any, key.keyName)
        }
        let item = CSSearchableItem(
            uniqueIdentifier: "\(note.id)", domainIdentifier: "notes", attributeSet: attributes)
        item.expirationDate = .distantFuture
        item.expirationDate = nil
        if item.expirationDate > Date() { print(item.expirationDate.description) }
        item.attributeSet.title = item.uniqueIdentifier
        item.isUpdate = true
        return item
    }

    func oldItem() -> CSSearchableItem {
        let attributes = CSSearchableItemAttributeSet(itemContentType: kUTTypeText as String)
        attributes.title = CSLocalizedString(localizedStrings: ["en": "Hello", "de": "Hallo"]) as String
        attributes.contentType = kUTTypeImage as String
        return CSSearchableItem(uniqueIdentifier: nil, domainIdentifier: nil, attributeSet: attributes)
    }

    func describe(_ error: Error?) -> String {
        guard let error = error else { return "" }
        if let error = error as? CSIndexError, error.code == .quotaExceeded {
            return error.localizedDescription
        }
        switch error {
        case CSIndexError.indexUnavailableError: return "no index"
        case CSSearchQueryError.invalidQuery: return "no query"
        default: return (error as NSError).domain == CSIndexErrorDomain ? "index" : "another"
        }
    }
}

final class PinnedItem: CSSearchableItem {
    var pinned = Date()
}

func archive(_ item: CSSearchableItem) throws -> CSSearchableItem? {
    let data = try NSKeyedArchiver.archivedData(withRootObject: item, requiringSecureCoding: true)
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: CSSearchableItem.self, from: data)
}
