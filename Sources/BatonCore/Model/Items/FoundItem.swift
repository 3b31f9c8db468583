/// An item that a search found.
package struct FoundItem: Equatable, Sendable {
    /// The bundle identifier of the app.
    package var app: String
    /// The app's index that contains the item.
    package var index: String
    /// The app's identifier for the item.
    package var identifier: String
    package var domain: String?
    package var title: String?
    /// The beginning of the item's description or text.
    package var summary: String?
    /// The address of the item.
    package var url: String?
    /// The time when the app indexed the item.
    package var indexed: WallTime?
    /// The time when the item expires; nil if it does not expire.
    package var expires: WallTime?
    /// The app's entity that the item is about; nil if there is none.
    package var entity: Activity.Entity?
    /// The identifier by which this device stores an item of a protected index; nil for other items, and in an app.
    private var storedIdentifier: String?

    package init(
        app: String, index: String, identifier: String, domain: String? = nil, title: String? = nil,
        summary: String? = nil, url: String? = nil, indexed: WallTime? = nil, expires: WallTime? = nil,
        entity: Activity.Entity? = nil
    ) {
        self.app = app
        self.index = index
        self.identifier = identifier
        self.domain = domain
        (self.title, self.summary, self.url) = (title, summary, url)
        (self.indexed, self.expires) = (indexed, expires)
        self.entity = entity
    }

    /// The name of the item; on the device that has found an item of a protected index, the name of its record.
    package var name: ItemName {
        ItemName(app: app, index: index, identifier: storedIdentifier ?? identifier)
    }

    /// The maximum length of each shown text in bytes.
    ///
    /// The limit makes room for many items in one answer.
    package static let textBytes = 1024

    /// Creates the search result of a record; nil if the record is not an item, or if the item was deleted.
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
        if name.isProtected {
            storedIdentifier = name.identifier
            if let given = Item.givenName(in: content.fields) {
                (identifier, domain) = (given.identifier, given.domain)
            }
        } else {
            domain = Self.readable { () throws(CBORError) in try Item.domain(of: content.scope, name) }
        }
        entity = Activity.Entity(content.fields)
        var (title, summary, url) = (ShownText(Self.titles), ShownText(Self.summaries), ShownText(Self.urls))
        content.fields.visit(where: {
            $0 == Item.Number.expiration || $0 == Item.indexedNumber || title.wants($0) || summary.wants($0)
                || url.wants($0)
        }) { number, value in
            if number == Item.indexedNumber {
                indexed = Self.time(value)
            } else if number == Item.Number.expiration {
                expires = Self.time(value)
            } else if title.wants(number) {
                title.setField(number, value)
            } else if summary.wants(number) {
                summary.setField(number, value)
            } else {
                url.setField(number, value)
            }
        }
        (self.title, self.summary, self.url) = (title.text, summary.text, url.text)
    }

    /// The attributes whose texts are shown as title, summary and address.
    ///
    /// In each list, the preferred attribute is first.
    private static let titles: [Attribute] = [.title, .displayName, .subject, .headline]
    private static let summaries: [Attribute] = [
        .contentDescription, .textContentSummary, .comment, .textContent,
    ]
    private static let urls: [Attribute] = [.contentURL, .url]

    /// Finds the text of the preferred attribute.
    ///
    /// The fields are read in the order of their numbers, so the preferred attribute may come after others.
    private struct ShownText {
        private let attributes: [Attribute]
        /// The index of the attribute whose text was found; the number of attributes if no text was found yet.
        private var place: Int
        private(set) var text: String?

        init(_ attributes: [Attribute]) { (self.attributes, place) = (attributes, attributes.count) }

        /// Whether the attribute of this field is preferred to the one whose text was found.
        func wants(_ number: UInt64) -> Bool {
            for other in 0..<place where attributes[other].number == number { return true }
            return false
        }

        /// Stores the beginning of the field's text, if the field has a text.
        ///
        /// The field must be one that `wants` accepts.
        mutating func setField(_ number: UInt64, _ value: ArraySlice<UInt8>) {
            guard let found = Fields.plain(value)?.someText, !found.isEmpty,
                let first = attributes.firstIndex(where: { $0.number == number })
            else { return }
            (place, text) = (first, found.beginning(bytes: FoundItem.textBytes))
        }
    }

    /// Returns the time when an item was indexed; nil if the fields have no such time or it can't be read.
    package static func indexed(in fields: Fields) -> WallTime? {
        fields.encoded(Item.indexedNumber).flatMap(time)
    }

    /// Returns the time in a field; nil if it can't be read.
    static func time(_ value: ArraySlice<UInt8>) -> WallTime? {
        readable { () throws(CBORError) in
            try CBORReader.whole(value) { (reader) throws(CBORError) in try WallTime(from: &reader) }
        }
    }

    private static func readable<Value>(_ read: () throws(CBORError) -> Value?) -> Value? {
        do throws(CBORError) { return try read() } catch { return nil }
    }
}

extension Fields {
    /// Returns the value of an attribute; nil if the value is missing, sealed or unreadable.
    func readable(_ attribute: Attribute) -> PropertyValue? { encoded(attribute.number).flatMap(Self.plain) }

    /// Returns the value in an attribute's field; nil if the value is sealed or can't be read.
    ///
    /// It does not throw, because one mistake of an app must not hide the rest of its item.
    static func plain(_ encoded: ArraySlice<UInt8>) -> PropertyValue? {
        do throws(CBORError) {
            let value = try CBORReader.whole(encoded) { (reader) throws(CBORError) in
                try AttributeValue(from: &reader)
            }
            if case .plain(let value) = value { return value }
        } catch {
            // The search shows the item without this value.
        }
        return nil
    }
}

extension PropertyValue {
    /// The text or address in this value; nil if there is none.
    ///
    /// A text in several languages gives the text whose language code comes first in the alphabet.
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
    /// Returns the beginning of the string, with at most `most` bytes.
    ///
    /// No Unicode scalar is cut.
    func beginning(bytes most: Int) -> String {
        guard utf8.count > most else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: most)
        while utf8[end] & 0xc0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
