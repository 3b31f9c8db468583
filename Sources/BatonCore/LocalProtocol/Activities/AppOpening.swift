/// Something that a person opens in an app: an item that a search found, or the search itself.
package enum AppOpening: Equatable, Sendable {
    /// An item of the app.
    case item(ItemName)
    /// A search with these words, which the app continues.
    case search(app: String, words: String)

    /// The type of the activity by which an app is asked to open an item; Apple calls it `CSSearchableItemActionType`.
    package static let itemType = "com.apple.corespotlightitem"
    /// The type of the activity by which an app is asked to continue a search; Apple calls it
    /// `CSQueryContinuationActionType`.
    package static let searchType = "com.apple.corespotlightquerycontinuation"

    /// The bundle identifier of the app that opens the item or continues the search.
    package var app: String {
        switch self {
        case .item(let item): item.app
        case .search(let app, _): app
        }
    }

    /// The type of the activity by which the app is asked to open the item or to continue the search.
    package var type: String {
        switch self {
        case .item: Self.itemType
        case .search: Self.searchType
        }
    }

    /// The payload of that activity, with the keys that Apple's apps read.
    package var info: [PropertyValue: PropertyValue] {
        switch self {
        case .item(let item): [.string("kCSSearchableItemActivityIdentifier"): .string(item.identifier)]
        case .search(_, let words): [.string("kCSSearchQueryString"): .string(words)]
        }
    }
}

extension AppOpening: LocalValue {
    private enum Number {
        static let item: UInt64 = 1
        static let search: UInt64 = 2
    }

    func encode(to writer: inout CBORWriter) {
        switch self {
        case .item(let item):
            writer.array(count: 2)
            writer.unsigned(Number.item)
            writer.key(item)
        case .search(let app, let words):
            writer.array(count: 3)
            writer.unsigned(Number.search)
            writer.text(app)
            writer.text(words)
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        let count = try reader.arrayCount(upTo: 3)
        switch (try reader.unsigned(), count) {
        case (Number.item, 2): self = .item(try reader.key())
        case (Number.search, 3): self = .search(app: try reader.text(), words: try reader.text())
        default: throw CBORError(.outOfRange, at: start)
        }
    }
}
