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
    /// The time when the item expires; nil if it does not.
    package var expires: WallTime?

    package init(
        app: String, index: String, identifier: String, domain: String? = nil, title: String? = nil,
        summary: String? = nil, url: String? = nil, indexed: WallTime? = nil, expires: WallTime? = nil
    ) {
        self.app = app
        self.index = index
        self.identifier = identifier
        self.domain = domain
        (self.title, self.summary, self.url) = (title, summary, url)
        (self.indexed, self.expires) = (indexed, expires)
    }

    /// The name of the item.
    package var name: ItemName { ItemName(app: app, index: index, identifier: identifier) }

    /// The most bytes that are shown of each text, so that many items fit in an answer.
    package static let textBytes = 1024

    /// Creates the search result of a record; nil if the record is not an existing item.
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

    /// The attributes whose texts are shown as title, summary and address, in order of preference.
    private static let titles: [Attribute] = [.title, .displayName, .subject, .headline]
    private static let summaries: [Attribute] = [
        .contentDescription, .textContentSummary, .comment, .textContent,
    ]
    private static let urls: [Attribute] = [.contentURL, .url]

    /// Finds the text of the most preferred attribute that has one, while the fields are read in another order.
    private struct ShownText {
        private let attributes: [Attribute]
        /// The place of the attribute that the text is from; the number of attributes if there is none.
        private var place: Int
        private(set) var text: String?

        init(_ attributes: [Attribute]) { (self.attributes, place) = (attributes, attributes.count) }

        /// Whether the field's attribute is preferred to the one whose text was found.
        func wants(_ number: UInt64) -> Bool {
            for other in 0..<place where attributes[other].number == number { return true }
            return false
        }

        /// Stores the beginning of the text of a preferred field, if the field has a text.
        mutating func setField(_ number: UInt64, _ value: ArraySlice<UInt8>) {
            guard let found = Fields.plain(value)?.someText, !found.isEmpty,
                let first = attributes.firstIndex(where: { $0.number == number })
            else { return }
            (place, text) = (first, found.beginning(bytes: FoundItem.textBytes))
        }
    }

    /// Returns the time when an item was indexed; nil if it can't be read.
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
    /// Returns the value of an attribute; nil if there is none, or if it is sealed or can't be read.
    func readable(_ attribute: Attribute) -> PropertyValue? { encoded(attribute.number).flatMap(Self.plain) }

    /// Returns the value in a field of an attribute; nil if it is sealed or can't be read.
    ///
    /// One mistake of an app must not hide the rest of its item.
    static func plain(_ encoded: ArraySlice<UInt8>) -> PropertyValue? {
        do throws(CBORError) {
            let value = try CBORReader.whole(encoded) { (reader) throws(CBORError) in
                try AttributeValue(from: &reader)
            }
            if case .plain(let value) = value { return value }
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
    /// Returns the beginning of the string, at most `most` bytes, without cutting a scalar.
    func beginning(bytes most: Int) -> String {
        guard utf8.count > most else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: most)
        while utf8[end] & 0xc0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
