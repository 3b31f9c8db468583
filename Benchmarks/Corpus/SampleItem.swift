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
        contentDescription = words.phrase(26...34) + "."
        keywords = words.list(3...5)
        let name = words.list(2...3).joined(separator: "-")
        contentURL = "file:///home/anna/Documents/\(words.word())/\(name)-\(number).md"
        contentType = "net.daringfireball.markdown"
        authorNames = words.list(1...2)
        contentCreationDate = Date(timeIntervalSince1970: Double(words.milliseconds() / 1000))
        contentModificationDate = contentCreationDate.addingTimeInterval(Double(words.number(1...9_999_999)))
        pageCount = words.number(1...40)
    }

    /// The fields of the item's record, each under the number of its attribute and in the attribute's type.
    var fields: Fields {
        let values: [(Attribute, PropertyValue)] = [
            (.title, .string(title)), (.keywords, .array(keywords.map { .string($0) })),
            (.contentURL, .url(contentURL)), (.contentType, .string(contentType)),
            (.contentDescription, .string(contentDescription)), (.pageCount, .integer(Int64(pageCount))),
            (.authorNames, .array(authorNames.map { .string($0) })),
            (.contentCreationDate, .date(contentCreationDate.timeIntervalSince1970)),
            (.contentModificationDate, .date(contentModificationDate.timeIntervalSince1970)),
        ]
        return Fields { fields in
            for (attribute, value) in values { fields.field(attribute.number) { value.encode(to: &$0) } }
        }
    }

    /// The key of the item's record.
    var key: RecordKey {
        RecordKey(kind: .item, parts: 3) { writer in
            writer.text(Self.app)
            writer.text(Self.index)
            writer.text(identifier)
        }
    }

    /// Where the item belongs.
    var scope: Scope { .items(app: Self.app, index: Self.index, domain: domain) }

    private static let (app, index) = ("org.example.notes", "main")
}
