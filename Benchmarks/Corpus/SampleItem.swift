import BatonCore
import Foundation

/// A searchable item of some 430 bytes, as an app for notes and documents has thousands of.
struct SampleItem: Codable, Equatable {
    var identifier: String
    var domain: String
    var title: String
    var contentDescription: String
    var keywords: [String]
    var contentURL: String
    var contentType: String
    var authorNames: [String]
    var contentCreationDate: Date
    var contentModificationDate: Date
    var pageCount: Int

    init(_ words: inout Words, number: Int) {
        identifier = "note-\(number)"
        domain = "notes.\(words.word())"
        title = words.phrase(4...7)
        contentDescription = words.phrase(25...32) + "."
        keywords = words.list(3...5)
        let name = words.list(2...3).joined(separator: "-")
        contentURL = "file:///home/anna/Documents/\(words.word())/\(name)-\(number).md"
        contentType = "net.daringfireball.markdown"
        authorNames = words.list(1...2)
        contentCreationDate = Date(timeIntervalSince1970: Double(words.milliseconds() / 1000))
        contentModificationDate = contentCreationDate.addingTimeInterval(Double(words.number(1...9_999_999)))
        pageCount = words.number(1...40)
    }

    /// The same as the product has it.
    var item: Item {
        var attributes = AttributeSet()
        let values: [(Attribute, PropertyValue)] = [
            (.title, .string(title)), (.keywords, .array(keywords.map { .string($0) })),
            (.contentURL, .url(contentURL)), (.contentType, .string(contentType)),
            (.contentDescription, .string(contentDescription)), (.pageCount, .integer(Int64(pageCount))),
            (.authorNames, .array(authorNames.map { .string($0) })),
            (.contentCreationDate, .date(contentCreationDate.timeIntervalSince1970)),
            (.contentModificationDate, .date(contentModificationDate.timeIntervalSince1970)),
        ]
        for (attribute, value) in values { attributes[attribute] = .plain(value) }
        let indexed = WallTime(
            milliseconds: Int64(contentModificationDate.timeIntervalSince1970 * 1000) + 700)
        return Item(domain: domain, indexed: indexed, attributes: attributes)
    }

    var name: ItemName { ItemName(app: "org.example.notes", index: "main", identifier: identifier) }

    /// As many as take the edge off one value's peculiarities, and few enough to stay in the processor's caches.
    static func corpus() -> [SampleItem] {
        var words = Words(seed: 5)
        return (0..<64).map { SampleItem(&words, number: $0) }
    }
}
