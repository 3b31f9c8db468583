/// An item that a search found.
package struct FoundItem: Equatable, Sendable {
    /// The app, by its bundle identifier.
    package var app: String
    /// The index of the app that the item is in.
    package var index: String
    /// The app's identifier for the item.
    package var identifier: String
    package var domain: String?
    package var title: String?
    /// The beginning of its description, or of its text.
    package var summary: String?
    /// The address of the item.
    package var url: String?
    /// The time when its app indexed it.
    package var indexed: WallTime?

    package init(
        app: String, index: String, identifier: String, domain: String? = nil, title: String? = nil,
        summary: String? = nil, url: String? = nil, indexed: WallTime? = nil
    ) {
        (self.app, self.index, self.identifier, self.domain) = (app, index, identifier, domain)
        (self.title, self.summary, self.url, self.indexed) = (title, summary, url, indexed)
    }

    /// The name of the item.
    package var name: ItemName { ItemName(app: app, index: index, identifier: identifier) }

    /// The most bytes of each text that are shown, so that many items fit an answer.
    package static let textBytes = 1024

    /// Creates the search result of a record; nil if the record is no item that exists.
    ///
    /// Values that can't be read are skipped.
    package init?(_ record: Record) {
        guard record.identity.kind == .item, let content = record.content, let name = ItemName(record) else {
            return nil
        }
        self.init(name, content)
    }

    /// Creates the search result of an item that exists.
    package init(_ name: ItemName, _ content: Write.Content) {
        self.init(app: name.app, index: name.index, identifier: name.identifier)
        domain = Self.readable { () throws(CBORError) in try Item.domain(of: content.scope, name) }
        indexed = Self.indexed(in: content.fields)
        title = content.fields.text([.title, .displayName, .subject, .headline])
        summary = content.fields.text([.contentDescription, .textContentSummary, .comment, .textContent])
        url = content.fields.text([.contentURL, .url])
    }

    /// Returns the time when an item was indexed; nil if it can't be read.
    package static func indexed(in fields: Fields) -> WallTime? {
        readable { () throws(CBORError) in try fields.time(Item.indexedNumber) }
    }

    private static func readable<Value>(_ read: () throws(CBORError) -> Value?) -> Value? {
        do throws(CBORError) { return try read() } catch { return nil }
    }
}

extension Fields {
    /// Returns the beginning of the first text in one of the attributes.
    fileprivate func text(_ attributes: [Attribute]) -> String? {
        for attribute in attributes {
            guard let text = readable(attribute)?.someText, !text.isEmpty else { continue }
            return text.beginning(bytes: FoundItem.textBytes)
        }
        return nil
    }

    /// Returns the value of an attribute; nil if it has none, or one that is sealed or can't be read.
    ///
    /// One mistake of an app must not hide the rest of its item.
    func readable(_ attribute: Attribute) -> PropertyValue? {
        do throws(CBORError) {
            let value = try read(attribute.number) { (reader) throws(CBORError) in
                try AttributeValue(from: &reader)
            }
            if case .plain(let value)? = value { return value }
        } catch {
            // The item is shown without the value.
        }
        return nil
    }
}

extension PropertyValue {
    /// A text or an address; of a text in several languages, the one whose language code comes first.
    var someText: String? {
        switch self {
        case .string(let text), .url(let text): text
        case .dictionary(let pairs) where isText:
            pairs.compactMap { language, text in language.string.map { ($0, text.string) } }
                .min { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }?.1
        default: nil
        }
    }
}

extension String {
    /// Returns at most this many bytes of the beginning, without cutting a scalar.
    func beginning(bytes most: Int) -> String {
        guard utf8.count > most else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: most)
        while utf8[end] & 0xc0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
